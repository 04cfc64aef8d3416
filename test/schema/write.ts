import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../local/projectRoot';
import { withConnection } from '../../local/programs/postgres';
import { startDedicatedPostgres } from '../support/dedicatedPostgres';
import { schemaFiles } from './schemaFiles';

/** Migrates an empty Postgres of its own and writes db/schema.sql and db/functions from it. */
async function main(): Promise<void> {
  const postgres = await startDedicatedPostgres();
  try {
    const files = await withConnection(postgres.url, schemaFiles);
    const folder = join(projectRoot(), 'db/functions');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const [path, text] of files) writeFileSync(join(projectRoot(), path), text);
  } finally {
    await postgres.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
