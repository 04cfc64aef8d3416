import { setTimeout as pause } from 'node:timers/promises';
import { measureLiveMemory } from '../../bench/inspector';
import { eventually } from './eventually';
import type { Program } from './programs';

const listening = /^Debugger listening on (ws:\S+)$/m;
const sampleIntervalMs = 1_000;

/** Returns the URL of a program's inspector, which Node starts on SIGUSR1. */
function inspectorUrl({ pid, output }: Program): Promise<string> {
  if (!listening.test(output())) process.kill(pid, 'SIGUSR1');
  return eventually('the inspector listens', () => listening.exec(output())?.[1]);
}

/**
 * Returns what the objects of a program use after a garbage collection, in MB: the heaps of all its threads, and buffers. Unlike
 * resident memory it does not depend on when garbage is collected, so it is the same on a busy machine.
 */
export async function liveMegabytes(program: Program): Promise<number> {
  const { heap, external } = await measureLiveMemory(await inspectorUrl(program));
  return (heap + external) / 1_048_576;
}

/** Measures live memory repeatedly, at least once, until something is done; returns the highest figure. */
export async function highestLiveMegabytes(program: Program, until: Promise<unknown>): Promise<number> {
  const ended = until.then(() => true, () => true);
  let highest = 0;
  do highest = Math.max(highest, await liveMegabytes(program));
  while (!(await Promise.race([ended, pause(sampleIntervalMs, false)])));
  return highest;
}
