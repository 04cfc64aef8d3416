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
  /** Ends every process of the run and removes its files. */
  end(): Promise<void>;
}

const graceMs = 3_000;
let current: TestRun | undefined;

/** The run that the set-up began; undefined before it and after its end. */
export const currentRun = (): TestRun | undefined => current;

function endOnSignals(run: TestRun): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => { void run.end().finally(() => process.exit(1)); });
  }
  process.once('exit', () => run.record.killNow());
}

/** Begins a run: its folder lies in LOCAL_DIR/test, beside those of runs that go on at the same time. */
export async function beginRun(): Promise<TestRun> {
  const parent = join(projectRoot(), process.env.LOCAL_DIR ?? '.local', 'test');
  await clearEarlierRuns(parent);
  const folder = join(parent, `${process.pid}-${Date.now()}`);
  mkdirSync(folder, { recursive: true });
  const { record } = await ProcessRecord.claim(recordFile(folder));
  const run: TestRun = {
    folder,
    record,
    endProcesses: () => record.release(graceMs),
    async end() {
      current = undefined;
      await run.endProcesses();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  endOnSignals(run);
  current = run;
  return run;
}
