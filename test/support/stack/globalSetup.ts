import type { Config } from 'jest';
import { writeClosingLine } from '../jest/closingLine.js';
import { publishAddresses } from './addresses';
import { borrowKeptStack } from './keptStack';
import { beginRun } from './run';
import { progress, startStack } from './startStack';
import { provideTemplate } from './template';
import { bundleWorkflows } from './workflowBundle';

/**
 * Publishes to the workers where what the tests need is: the kept stack (`npm run test:stack`) where one is free, else a new
 * one, which ends with the run. A failure stops what had started.
 */
export default async function globalSetup({ maxWorkers }: Config & { maxWorkers: number }): Promise<void> {
  const run = await beginRun();
  try {
    const kept = borrowKeptStack(run, maxWorkers);
    if (kept === undefined) {
      publishAddresses(await startStack(run, maxWorkers));
    } else {
      await bundleWorkflows(kept.folder, progress);
      publishAddresses({ ...kept, folder: run.folder, templateDatabase: await provideTemplate(kept.adminDatabaseUrl, progress) });
    }
  } catch (error) {
    await run.end();
    process.once('exit', () => { writeClosingLine({ passed: 0, failed: 1 }); });
    throw error;
  }
}
