import type { QueryRunner } from 'typeorm';

/** Has workers fill a column of the rows of a table that are there, after the migration (`db/repositories/fills`). A fill of an empty table has ended at once. */
export async function beginFill(runner: QueryRunner, name: string, table: string): Promise<void> {
  await runner.query(
    `INSERT INTO row_fills (name, table_name, ended_at) SELECT $1, $2, CASE WHEN EXISTS (SELECT 1 FROM ${table}) THEN NULL ELSE now() END`,
    [name, table],
  );
}

/** Fails while a fill has not ended: a migration that needs the column filled in every row begins with it, one release later at the earliest. */
export async function requireFilled(runner: QueryRunner, name: string): Promise<void> {
  const open: unknown = await runner.query('SELECT 1 FROM row_fills WHERE name = $1 AND ended_at IS NULL', [name]);
  if (Array.isArray(open) && open.length === 0) return;
  throw new Error(`The fill ${name} has not ended. Run workers of the release before until "institution workflows show fill_${name}" says that it has, then migrate again`);
}
