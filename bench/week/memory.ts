import { WebSocket } from 'undici';
import { residentMegabytes } from '../memory';
import { rounded } from '../statistics';

/** The memory of a process, in MB: resident, and the live heaps of all its threads after a garbage collection. */
export interface MemoryUse {
  resident: number;
  heap: number;
}

/** Returns the environment that lets a process be inspected at this port. */
export const inspectorEnvironment = (port: number): NodeJS.ProcessEnv => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });

interface Message {
  id?: number;
  method?: string;
  params?: { sessionId?: string; message?: string };
  result?: { usedSize?: number };
}

/** Calls a method of a thread's inspector; returns its result. */
type InspectorCall = (method: string, params?: object) => Promise<NonNullable<Message['result']>>;

/** The inspector of a process: its main thread, and its workers. */
class Inspector {
  private lastId = 0;
  private readonly waiting = new Map<number, (result: NonNullable<Message['result']>) => void>();
  private readonly threads = new Set<string>();

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => this.handleMessage(JSON.parse(String(data)) as Message));
  }

  static async open(port: number): Promise<Inspector> {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`);
    const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
    if (target === undefined) throw new Error(`No process can be inspected at port ${port}`);
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error(`The inspector at port ${port} does not respond`)), { once: true });
    });
    return new Inspector(socket);
  }

  /** Returns a call for the main thread, and one for each of the others. */
  async allThreads(): Promise<InspectorCall[]> {
    const main: InspectorCall = (method, params = {}) => this.send((id) => ({ id, method, params }));
    await main('NodeWorker.enable', { waitForDebuggerOnStart: false });
    const others = [...this.threads].map((sessionId): InspectorCall => (method, params = {}) =>
      this.send((id) => {
        const message = JSON.stringify({ id, method, params });
        // The main thread, which forwards the message, responds with an id that is not awaited.
        return { id: -id, method: 'NodeWorker.sendMessageToWorker', params: { sessionId, message } };
      }),
    );
    return [main, ...others];
  }

  close(): void {
    this.socket.close();
  }

  private send(message: (id: number) => object): Promise<NonNullable<Message['result']>> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.socket.send(JSON.stringify(message(id)));
    });
  }

  private handleMessage({ id, method, params = {}, result = {} }: Message): void {
    if (method === 'NodeWorker.attachedToWorker' && params.sessionId !== undefined) this.threads.add(params.sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker' && params.message !== undefined) this.handleMessage(JSON.parse(params.message) as Message);
    if (id === undefined) return;
    this.waiting.get(id)?.(result);
    this.waiting.delete(id);
  }
}

/** Collects the garbage of every thread of a process, twice for what finalizers hold, and returns its memory then. */
export async function measureMemory(pid: number, port: number): Promise<MemoryUse> {
  const inspector = await Inspector.open(port);
  try {
    let bytes = 0;
    for (const call of await inspector.allThreads()) {
      await call('HeapProfiler.collectGarbage');
      await call('HeapProfiler.collectGarbage');
      bytes += (await call('Runtime.getHeapUsage')).usedSize ?? Number.NaN;
    }
    return { resident: residentMegabytes(pid), heap: rounded(bytes / 1_048_576, 1) };
  } finally {
    inspector.close();
  }
}
