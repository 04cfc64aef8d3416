import { statement, type Sql } from '../../statement';

const record = statement(
  'worker_deployments_record',
  `INSERT INTO worker_deployments AS d (name, current_build_id) VALUES ($1, $2)
   ON CONFLICT (name) DO UPDATE SET current_build_id = $2, recorded_at = clock_timestamp() WHERE d.current_build_id IS DISTINCT FROM $2`,
);

/** Records which version of a deployment's workers is current; null for workers without a version. Writes nothing if that is recorded. */
export async function recordCurrentBuild(sql: Sql, name: string, buildId: string | null): Promise<void> {
  await sql(record, [name, buildId]);
}

const find = statement('worker_deployments_current', 'SELECT current_build_id FROM worker_deployments WHERE name = $1');

/** Returns which version was current when that was last recorded; null for workers without a version, and if nothing is recorded. */
export async function findCurrentBuild(sql: Sql, name: string): Promise<string | null> {
  return (await sql<{ current_build_id: string | null }>(find, [name]))[0]?.current_build_id ?? null;
}
