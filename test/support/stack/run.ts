import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ProcessRecord } from '../../../local/processRecord';
import { projectRoot } from '../../../local/projectRoot';
import { clearEarlierRuns, recordFile } from './earlierRuns';

/** One run of the tests: its folder, and everything that it has started. */
export interface TestRun {
  folder: string;
  record: ProcessRecord;
  /** Ends every process of the run; nothing more can be started in it. */
  endProcesses(): Promise<void>;
  /** Does something before the processes of the run end. */
  beforeEnd(work: () => void): void;
  /** Does something when the processes of the run have ended. */
  onEnd(work: () => void): void;
  /** Ends every process of the run and removes its files. */
  end(): Promise<void>;
}

const graceMs = 3_000;
let current: TestRun | undefined;

/** The run that the set-up began; undefined before it and after its end. */
export const currentRun = (): TestRun | undefined => current;

/** Ends the run when this process gets a signal to end; returns a function that undoes it. */
function endOnSignals(run: TestRun): () => void {
  const end = (): void => { void run.end().finally(() => process.exit(1)); };
  const kill = (): void => run.record.killNow();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  process.once('exit', kill);
  return () => {
    for (const signal of signals) process.off(signal, end);
    process.off('exit', kill);
  };
}

/** Begins a run: its folder is in LOCAL_DIR/test, next to those of runs at the same time. */
export async function beginRun(): Promise<TestRun> {
  const parent = join(projectRoot(), process.env.LOCAL_DIR ?? '.local', 'test');
  await clearEarlierRuns(parent);
  const folder = join(parent, `${process.pid}-${Date.now()}`);
  mkdirSync(folder, { recursive: true });
  const { record } = await ProcessRecord.claim(recordFile(folder));
  const before: (() => void)[] = [];
  const after: (() => void)[] = [];
  const run: TestRun = {
    folder,
    record,
    endProcesses: () => record.release(graceMs),
    beforeEnd: (work) => before.push(work),
    onEnd: (work) => after.push(work),
    async end() {
      current = undefined;
      for (const work of before) work();
      await run.endProcesses();
      for (const work of after) work();
      rmSync(folder, { recursive: true, force: true });
      leaveSignals();
    },
  };
  const leaveSignals = endOnSignals(run);
  current = run;
  return run;
}
