import { DataSource, type MigrationInterface } from 'typeorm';
import { createMigrationDataSource } from '../../db/migrate';
import { migrations } from '../../db/migrations';
import { withConnection } from '../../local/programs/postgres';
import { dumpSchema } from './schemaDump';

/** Does the first `count` migrations. */
export const migrateUpTo = async (url: string, count: number): Promise<void> => {
  await withMigrations(url, count, async (source) => {
    await source.runMigrations();
  });
};

/** Undoes the last of the first `count`. */
export const revertLastOf = async (url: string, count: number): Promise<void> => {
  await withMigrations(url, count, (source) => source.undoLastMigration());
};

/** The data source as migrations have it, knowing the first `count` of them alone. */
function withMigrations(url: string, count: number, work: (source: DataSource) => Promise<void>): Promise<void> {
  return withMigrationList(url, migrations.slice(0, count), work);
}

/** The same of any list. */
export async function withMigrationList(url: string, known: (new () => MigrationInterface)[], work: (source: DataSource) => Promise<void>): Promise<void> {
  const source = await new DataSource({ ...createMigrationDataSource(url).options, migrations: known }).initialize();
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
