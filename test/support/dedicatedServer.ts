import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Launcher } from '../../local/launch';
import { ProcessRecord } from '../../local/processRecord';
import { createProgress, type Progress } from '../../local/progress';
import { supervisedLauncher } from '../../local/supervise';

/** A server of one test file, which comes back by itself, on the same port and data, when it ends. */
export interface DedicatedServer {
  /** What the server writes. */
  readonly logFile: string;
  /** Signals the server: SIGKILL as a crash, SIGINT as an administrator who restarts it. */
  signal(signal: 'SIGKILL' | 'SIGINT'): void;
  stop(): Promise<void>;
}

/** What a program of `local/programs` is started with. */
export interface ServerParts {
  /** For its data; removed with the server. */
  folder: string;
  /** Names no server of anybody else's. */
  environment: NodeJS.ProcessEnv;
  logFile: string;
  record: ProcessRecord;
  launcher: Launcher;
  progress: Progress;
}

const graceMs = 3_000;

/** Starts a server by its name in the record of processes, in a folder of its own; returns what `start` answers, too. */
export async function startDedicatedServer<Started extends { stop(graceMs: number): Promise<void> }>(
  name: string,
  start: (parts: ServerParts) => Promise<Started>,
): Promise<{ started: Started; server: DedicatedServer }> {
  const folder = mkdtempSync(join(tmpdir(), `institution-${name}-`));
  const recordFile = join(folder, 'processes.json');
  const { record } = await ProcessRecord.claim(recordFile);
  const killAll = (): void => record.killNow();
  process.once('exit', killAll);
  const logFile = join(folder, `${name}.log`);
  const stopping = new AbortController();
  const progress = createProgress(() => undefined, 'short');
  const started = await start({
    folder,
    environment: { ...process.env, DATABASE_URL: undefined, REDIS_URL: undefined, TEMPORAL_ADDRESS: undefined },
    logFile,
    record,
    launcher: supervisedLauncher({ record, progress, signal: stopping.signal, onGiveUp: () => undefined }),
    progress,
  });
  const pid = (): number => {
    const { processes }: { processes: { name: string; pid: number }[] } = JSON.parse(readFileSync(recordFile, 'utf8'));
    const running = processes.find((recorded) => recorded.name === name);
    if (running === undefined) throw new Error(`The ${name} of this test does not run`);
    return running.pid;
  };
  return {
    started,
    server: {
      logFile,
      signal: (signal) => process.kill(pid(), signal),
      stop: async () => {
        stopping.abort();
        await started.stop(graceMs);
        await record.release(graceMs);
        process.off('exit', killAll);
        rmSync(folder, { recursive: true, force: true });
      },
    },
  };
}
