import { join } from 'node:path';
import { launchOnce } from '../../local/launch';
import { withoutEmpty } from '../../local/options';
import { findS3Server } from '../../local/programs/s3Server';
import { temporalProgram } from '../../local/programs/temporalProgram';
import { timeSkippingServer } from '../../local/programs/timeSkippingServer';
import type { Progress } from '../../local/progress';
import { provideHelm } from '../support/helm/program';
import { beginRun } from '../support/stack/run';

/** Builds or fetches, once, the programs of the test stack that this machine lacks: minutes that the checks of the sources use. */
export async function providePrograms(progress: Progress): Promise<void> {
  const run = await beginRun();
  const environment = withoutEmpty(process.env);
  const source = (name: string) => ({
    environment, logFile: join(run.folder, `${name}.log`), record: run.record, progress, launcher: launchOnce(run.record),
  });
  try {
    await Promise.all([
      ...(environment.TEMPORAL_ADDRESS === undefined ? [temporalProgram(source('temporal'))] : []),
      timeSkippingServer(source('test-server')),
      findS3Server(source('s3-server')),
      // Without Helm only the tests of the chart fail, and say why.
      provideHelm(source('helm')).catch(() => undefined),
    ]);
  } finally {
    await run.end();
  }
}
