import type { QueryRunner } from 'typeorm';
import { buildUniqueConcurrently } from './concurrentIndexes';
import { hasConstraint } from './constraints';

/** A table whose rows are updated so often that they have generations (docs/decisions/0082-old-snapshots.md). */
interface UpdatedTable {
  readonly table: string;
  /** The columns of its primary key. */
  readonly key: string;
  /** Statements that define the functions which write the rows. */
  readonly functions: string;
}

const columns = { generation: 'integer NOT NULL DEFAULT 0', uses: 'integer NOT NULL DEFAULT 0' };

/**
 * Gives the rows of a table generations. The functions come before the key: its index is built once every statement has ended that may
 * still run the functions before, which look for a conflict by the old key. Can be done again.
 */
export async function addGenerations(runner: QueryRunner, { table, key, functions }: UpdatedTable): Promise<void> {
  const name = `${table}_generations`;
  const added = Object.entries(columns).map(([column, type]) => `ADD COLUMN IF NOT EXISTS ${column} ${type}`);
  await runner.query(`ALTER TABLE ${table} ${added.join(', ')}`);
  await runner.query(functions);
  if (await hasConstraint(runner, table, name)) return;
  await buildUniqueConcurrently(runner, { [name]: `${table} (${key}, generation)` });
  await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_pkey, ADD CONSTRAINT ${name} PRIMARY KEY USING INDEX ${name}`);
}

/** Takes them again; `functions` are those of the release before. */
export async function dropGenerations(runner: QueryRunner, { table, key, functions }: UpdatedTable): Promise<void> {
  const dropped = Object.keys(columns).map((column) => `DROP COLUMN ${column}`);
  await runner.query(`
ALTER TABLE ${table} DROP CONSTRAINT ${table}_generations, ADD CONSTRAINT ${table}_pkey PRIMARY KEY (${key});
${functions}
ALTER TABLE ${table} ${dropped.join(', ')};`);
}
