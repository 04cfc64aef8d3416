import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../local/errors';
import { runToEnd } from '../../local/processes';
import type { ProcessRecord } from '../../local/processRecord';
import type { Progress } from '../../local/progress';
import type { Release } from './release';

interface ConformanceDeps {
  record: ProcessRecord;
  progress: Progress;
  logs: string;
}

/** The school day, played through HTTP alone. */
const day = 'test/conformance/schoolDay.test.ts';
const withinMs = 15 * 60_000;

/** Whether a release has the day, and a stack whose databases are copies of a template, which can be migrated further: since 0.9.0. */
const canBePlayed = ({ folder }: Release): boolean => [day, 'test/support/stack/template.ts'].every((path) => existsSync(join(folder, path)));

/**
 * Plays the conformance day of an older release, with that release's code and tests, on the schema of a newer one; both are built. Returns
 * what went wrong as sentences, and undefined for a release that has no such day.
 */
export async function playOnNewSchema(older: Release, newer: Release, { record, progress, logs }: ConformanceDeps): Promise<string[] | undefined> {
  if (!canBePlayed(older)) return undefined;
  const logFile = join(logs, `conformance-${older.name}.log`);
  const title = `The conformance day of ${older.name} on the schema of ${newer.name}`;
  return progress.step(title, () => runToEnd({
    name: `conformance of ${older.name}`,
    program: process.execPath,
    args: [join(older.folder, 'node_modules', 'jest', 'bin', 'jest.js'), day, `--globalSetup=${require.resolve('./newSchema.js')}`, '--runInBand'],
    cwd: older.folder,
    env: { ...process.env, TEST_STACK_OWN: '1', NEW_SCHEMA_FROM: newer.folder, LOCAL_DIR: '.local' },
    logFile,
    stopSignal: 'SIGTERM',
  }, record, withinMs).then(() => [], (error: unknown) => [`${title}: ${errorMessage(error)}`]));
}
