import { DataSource, type MigrationInterface } from 'typeorm';
import { createMigrationDataSource } from '../../db/migrate';
import { migrations } from '../../db/migrations';
import { runPendingMigrations, type MigrationRun } from '../../db/runMigrations';
import { withConnection } from '../../local/programs/postgres';
import { dumpSchema } from './schemaDump';

/** Does the first `count` migrations. */
export const migrateUpTo = (url: string, count: number): Promise<void> => migrateList(url, migrations.slice(0, count));

/** Does those of a list, as `migrate` does its own. */
export const migrateList = (url: string, known: (new () => MigrationInterface)[], { lockTimeoutMs, ...run }: ListRun = {}): Promise<void> =>
  withMigrationList(url, known, lockTimeoutMs, async (source) => {
    const runner = source.createQueryRunner();
    try {
      await runPendingMigrations(source, runner, run);
    } finally {
      await runner.release();
    }
  });

/** How a list is run; without a value, as `migrate` runs its own. */
export interface ListRun extends MigrationRun {
  readonly lockTimeoutMs?: number;
}

/** Undoes the last of the first `count`. */
export const revertLastOf = async (url: string, count: number): Promise<void> => {
  await withMigrationList(url, migrations.slice(0, count), undefined, (source) => source.undoLastMigration());
};

/** The data source as migrations have it, knowing those of a list alone. */
async function withMigrationList(url: string, known: (new () => MigrationInterface)[], lockTimeoutMs: number | undefined, work: (source: DataSource) => Promise<void>): Promise<void> {
  const source = await new DataSource({ ...createMigrationDataSource(url, lockTimeoutMs).options, migrations: known }).initialize();
  try {
    await work(source);
  } finally {
    await source.destroy();
  }
}

/** The schema, to be compared. */
export const dumpSchemaAt = (url: string): Promise<string[]> => withConnection(url, dumpSchema);
/** Of the migrations, from 1. */
export const migrationNumbers = migrations.map((_migration, index) => index + 1);
