import type { ProcessRecord } from './processRecord';
import { describeExit, lastLines, beginLog, startProcess, type Command, type RunningProcess } from './processes';
import { waitUntil } from './waitUntil';

/** A program that is to keep running, and how to know that it does its work. */
export interface Launch extends Command {
  readyWithinMs: number;
  /** Throws as long as the program is not ready. */
  ready: () => Promise<void>;
  /** Clears the way before each start. */
  prepare?: () => Promise<void>;
}

export interface RunningProgram {
  /** Resolves when the program has ended: asked first, killed when `graceMs` have passed. */
  stop(graceMs: number): Promise<void>;
}

/** Brings a program up and, as it sees fit, keeps it up. */
export type Launcher = (launch: Launch) => Promise<RunningProgram>;

const failedStartGraceMs = 2_000;

/** Starts a program and waits until it is ready; one that does not become ready is ended. */
export async function startUntilReady(launch: Launch, record: ProcessRecord, signal?: AbortSignal): Promise<RunningProcess> {
  await launch.prepare?.();
  const running = await startProcess(launch, record);
  const waitAborter = new AbortController();
  const exitedEarly = running.exited.then((exit) => {
    throw new Error(`${launch.name} ended while starting (${describeExit(exit)}):\n${lastLines(launch.logFile, 15)}`);
  });
  const signals = signal === undefined ? [waitAborter.signal] : [waitAborter.signal, signal];
  const ready = waitUntil({
    what: launch.name,
    withinMs: launch.readyWithinMs,
    check: launch.ready,
    signal: AbortSignal.any(signals),
  });
  exitedEarly.catch(() => undefined);
  ready.catch(() => undefined);
  try {
    await Promise.race([ready, exitedEarly]);
  } catch (error) {
    waitAborter.abort();
    await running.stop(failedStartGraceMs);
    throw error;
  }
  return running;
}

/** A launcher that starts a program once and leaves it alone. */
export const launchOnce = (record: ProcessRecord): Launcher => async (launch) => {
  beginLog(launch.logFile);
  return startUntilReady(launch, record);
};
