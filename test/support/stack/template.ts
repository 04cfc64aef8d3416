import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withConnection } from '../../../local/programs/postgres';
import type { Progress } from '../../../local/progress';
import { projectRoot } from '../../../local/projectRoot';
import { onDatabase } from '../../../local/programs/databaseUrl';
import { serviceUrlOf } from './database';
import { fingerprintOf } from './fingerprint';

const prefix = 'institution_template_';

/** In a process of its own: a run that watches the sources has loaded the migrations as they were when it began. */
async function migrate(url: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['--require', './test/support/compileSource.js', 'db/migrateMain.ts'], {
    cwd: projectRoot(),
    env: { ...process.env, DATABASE_URL: serviceUrlOf(url), MIGRATION_DATABASE_URL: url },
  });
}

/** The name of a migrated database of the cluster, from which those of the tests are copied; made once for each state of `db/`. */
export async function provideTemplate(adminDatabaseUrl: string, progress: Progress): Promise<string> {
  const name = `${prefix}${fingerprintOf('db')}`;
  const url = onDatabase(adminDatabaseUrl, name);
  const ready = await withConnection(adminDatabaseUrl, async (client) => {
    const { rows } = await client.query<{ datname: string; datistemplate: boolean }>(`SELECT datname, datistemplate FROM pg_database WHERE datname LIKE '${prefix}%'`);
    // One that was not finished is no template yet, and those of earlier states serve nobody.
    for (const { datname, datistemplate } of rows) {
      if (datname === name && datistemplate) return true;
      await client.query(`ALTER DATABASE ${datname} IS_TEMPLATE false`);
      await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
    }
    await client.query(`CREATE DATABASE ${name}`);
    return false;
  });
  if (ready) return name;
  await progress.step('Migrating', () => migrate(url));
  await withConnection(adminDatabaseUrl, (client) => client.query(`ALTER DATABASE ${name} IS_TEMPLATE true`));
  return name;
}
