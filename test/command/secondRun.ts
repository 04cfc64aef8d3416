import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJest, type TestSet } from './jest';

/** What test/support/jest/closingLines.js writes of a run. */
export interface RunReport {
  passed: number;
  failed: number;
  /** Files of which a test failed, with how many passed and the names of those that failed. */
  failedFiles: readonly { path: string; passed: number; failed: readonly string[] }[];
}

/** More files than this do not fail by chance: a dozen did, on a machine that was three times as slow as the day before. */
const maxFiles = 20;

/** One file after the other in one process, which a test that failed before it ended what it started cannot keep open. */
export const aloneOptions: readonly string[] = ['--runInBand', '--forceExit'];

/** Whether the failed files of a run are few enough to be run again; failures that belong to no file are never by chance. */
export function deservesSecondRun({ failed, failedFiles }: RunReport): boolean {
  const failedInFiles = failedFiles.reduce((total, file) => total + file.failed.length, 0);
  return failed > 0 && failed === failedInFiles && failedFiles.length <= maxFiles;
}

/** The counts of a run whose failed files were run again, and the lines that name each test that only passed then. */
export function combineRuns(first: RunReport, second: RunReport): { passed: number; failed: number; unstable: string[] } {
  const passedBefore = first.failedFiles.reduce((total, file) => total + file.passed, 0);
  const failedAgain = new Map(second.failedFiles.map(({ path, failed }) => [path, failed]));
  return {
    passed: first.passed - passedBefore + second.passed,
    failed: second.failed,
    unstable: first.failedFiles.flatMap(({ path, failed }) =>
      failed.filter((name) => !failedAgain.get(path)?.includes(name)).map((name) => `Unstable: ${path}: "${name}" failed in the full run and passed when its file ran again alone.`),
    ),
  };
}

async function run(sets: readonly TestSet[], args: readonly string[], folder: string): Promise<RunReport> {
  const path = join(folder, 'report.json');
  rmSync(path, { force: true });
  const code = await runJest({ sets, args, environment: { TEST_STACK_OWN: '1', TEST_RUN_REPORT: path } });
  const report = JSON.parse(readFileSync(path, 'utf8')) as RunReport;
  if (code !== 0 && report.failed === 0) return { ...report, failed: 1 };
  return report;
}

/**
 * Runs every test of the sets on a stack of the run's own. Where at most 20 files failed they run once more, alone: a
 * test that kills processes on a machine shared with others may fail by chance, and is named as unstable then, never silently passed.
 */
export async function runTwice(sets: readonly TestSet[]): Promise<{ passed: number; failed: number; unstable: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'institution-tests-'));
  try {
    const first = await run(sets, [], folder);
    if (!deservesSecondRun(first)) return { passed: first.passed, failed: first.failed, unstable: [] };
    const paths = first.failedFiles.map(({ path }) => path);
    process.stderr.write(`Running again, alone: ${paths.join(', ')}\n`);
    return combineRuns(first, await run(sets, [...aloneOptions, '--runTestsByPath', ...paths], folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
