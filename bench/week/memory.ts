import { WebSocket } from 'undici';
import { residentMegabytes } from '../memory';
import { rounded } from '../statistics';

/** What a process holds, in MB: resident, and what lives on its heap once what nobody needs has been collected. */
export interface Held {
  resident: number;
  heap: number;
}

/** The environment in which a process lets itself be asked over this port. */
export const inspectable = (port: number): NodeJS.ProcessEnv => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });

async function socketOf(port: number): Promise<WebSocket> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
  if (target === undefined) throw new Error(`Nothing lets itself be inspected at port ${port}`);
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error(`The inspector at port ${port} does not answer`)), { once: true });
  });
  return socket;
}

/** Has a process collect its garbage, twice for what is held by finalizers, and says what it holds then. */
export async function heldBy(pid: number, port: number): Promise<Held> {
  const socket = await socketOf(port);
  let asked = 0;
  const ask = (method: string): Promise<{ usedSize?: number }> => {
    asked += 1;
    const id = asked;
    return new Promise((resolve) => {
      const hear = ({ data }: { data: unknown }): void => {
        const answer = JSON.parse(String(data)) as { id?: number; result?: { usedSize?: number } };
        if (answer.id !== id) return;
        socket.removeEventListener('message', hear);
        resolve(answer.result ?? {});
      };
      socket.addEventListener('message', hear);
      socket.send(JSON.stringify({ id, method }));
    });
  };
  try {
    await ask('HeapProfiler.collectGarbage');
    await ask('HeapProfiler.collectGarbage');
    const { usedSize = Number.NaN } = await ask('Runtime.getHeapUsage');
    return { resident: residentMegabytes(pid), heap: rounded(usedSize / 1_048_576, 1) };
  } finally {
    socket.close();
  }
}
