import type { TestApi } from './api';

/** Every table with rows of institutions, and how many this one has in it; without the keys of repeated calls themselves. */
export async function rowCountsOf({ api }: TestApi, { id }: { id: string }): Promise<Record<string, number>> {
  const { sql } = api.domain.database;
  const tables = await sql<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND c.column_name = 'institution_id' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const counted = tables.map(({ name }) => `SELECT '${name}' AS name, count(*)::int AS count FROM ${name} WHERE institution_id = $1`).join(' UNION ALL ');
  return Object.fromEntries((await sql<{ name: string; count: number }>(counted, [id])).map(({ name, count }) => [name, count]));
}
