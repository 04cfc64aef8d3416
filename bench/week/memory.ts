import { measureLiveMemory } from '../inspector';
import { residentMegabytes } from '../memory';
import { rounded } from '../statistics';

/** The memory of a process, in MB: resident, and the live heaps of all its threads after a garbage collection. */
export interface MemoryUse {
  resident: number;
  heap: number;
}

/** Returns the environment that lets a process be inspected at this port. */
export const inspectorEnvironment = (port: number): NodeJS.ProcessEnv => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });

async function inspectorUrl(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
  if (target === undefined) throw new Error(`No process can be inspected at port ${port}`);
  return target.webSocketDebuggerUrl;
}

/** Collects the garbage of every thread of a process, and returns its memory then. */
export async function measureMemory(pid: number, port: number): Promise<MemoryUse> {
  const { heap } = await measureLiveMemory(await inspectorUrl(port));
  return { resident: residentMegabytes(pid), heap: rounded(heap / 1_048_576, 1) };
}
