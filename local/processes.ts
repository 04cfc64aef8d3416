import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { identify } from './processIdentity';
import { endProcess, type ProcessRecord, type RecordedProcess } from './processRecord';

/** A program to start as a child of ours. */
export interface Command {
  name: string;
  program: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Runs as this user instead of ours. */
  user?: { uid: number; gid: number };
  /** Takes what the program writes; appended to. */
  logFile: string;
  stopSignal: NodeJS.Signals;
}

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Its stop signal, then SIGKILL after `graceMs`; resolves when it has ended. */
  stop(graceMs: number): Promise<void>;
}

/** "exit code 1", "killed by SIGKILL" */
export const describeExit = ({ code, signal }: ProcessExit): string =>
  signal === null ? `exit code ${code}` : `killed by ${signal}`;

/** The last lines of a log file; empty when it cannot be read. */
export function lastLines(file: string, count: number): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '';
  }
}

/** How many logs of earlier runs are kept: `api.log.1` is that of the run before. */
const keptLogs = 20;
/** How much the logs of earlier runs of one program may take; the oldest go first, that of the run before stays. */
const keptLogBytes = 200 * 1024 * 1024;

function removeOldestLogs(file: string): void {
  let bytes = 0;
  for (let nth = 1; nth <= keptLogs; nth += 1) {
    bytes += statSync(`${file}.${nth}`, { throwIfNoEntry: false })?.size ?? 0;
    if (nth > 1 && bytes > keptLogBytes) rmSync(`${file}.${nth}`, { force: true });
  }
}

/** Begins a new log of a program, and keeps those of the runs before: a question may be about yesterday. */
export function beginLog(file: string): void {
  const isEmpty = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
  for (let nth = isEmpty ? 0 : keptLogs; nth > 0; nth -= 1) {
    const earlier = nth === 1 ? file : `${file}.${nth - 1}`;
    if (existsSync(earlier)) renameSync(earlier, `${file}.${nth}`);
  }
  removeOldestLogs(file);
  writeFileSync(file, '');
}

/**
 * Starts a program in a process group of its own, so that a Ctrl-C in the terminal reaches only us and we stop it
 * in order, and writes it into the record. Throws when it cannot be started.
 */
export async function startProcess(command: Command, record: ProcessRecord): Promise<RunningProcess> {
  record.requireOpen();
  const log = openSync(command.logFile, 'a');
  const child = spawn(command.program, command.args, {
    detached: true,
    stdio: ['ignore', log, log],
    env: command.env ?? process.env,
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    ...command.user,
  });
  closeSync(log);
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const { pid } = child;
  if (pid === undefined) {
    const reason = await new Promise<Error>((resolve) => child.once('error', resolve));
    throw new Error(`${command.name} could not be started: ${reason.message}`, { cause: reason });
  }
  // One that has ended already has no identity to record.
  const identity = identify(pid);
  if (identity === undefined) return { name: command.name, pid, exited, stop: async () => { await exited; } };
  const recorded: RecordedProcess = { ...identity, name: command.name, stopSignal: command.stopSignal };
  record.add(recorded);
  void exited.then(() => record.remove(recorded));
  return {
    name: command.name,
    pid,
    exited,
    async stop(graceMs) {
      await endProcess(recorded, graceMs);
      await exited;
    },
  };
}

/** Runs a program to its end. Throws with the last lines of its log when it fails or `arrivalTimeoutMs` pass. */
export async function runToEnd(command: Command, record: ProcessRecord, withinMs: number): Promise<void> {
  beginLog(command.logFile);
  const running = await startProcess(command, record);
  const timeout = new AbortController();
  const limit = setTimeout(() => {
    timeout.abort();
    void running.stop(1_000);
  }, withinMs);
  const exit = await running.exited;
  clearTimeout(limit);
  if (exit.code === 0) return;
  const outcome = timeout.signal.aborted ? `took longer than ${withinMs / 1000} s` : `failed (${describeExit(exit)})`;
  throw new Error(`${command.name} ${outcome}:\n${lastLines(command.logFile, 15)}`);
}
