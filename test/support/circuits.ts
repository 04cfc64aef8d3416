import type { Sql } from '../../db/statement';
import type { TestApi, TestInstitution } from './api';

/** The state of an endpoint's circuit and backlog. */
export interface CircuitRow {
  status: string;
  disabled_reason: string | null;
  circuit: string;
  probe_at: Date | null;
  consecutive_failures: number;
  failing_since: Date | null;
  backlog_open: boolean;
  backlog_run: number;
}

/** Reads the state of an endpoint's circuit and backlog from Postgres. */
export async function circuitOf(sql: Sql, endpointId: string): Promise<CircuitRow> {
  const [row] = await sql<CircuitRow>(
    `SELECT status, disabled_reason, circuit, probe_at, consecutive_failures, failing_since, backlog_open, backlog_run
       FROM webhook_endpoints WHERE id = $1`,
    [endpointId],
  );
  if (row === undefined) throw new Error('No such endpoint');
  return row;
}

/** Counts the deliveries of an endpoint by status and what retries them: `retrying by workflow`. */
export async function countDeliveriesByState(sql: Sql, endpointId: string): Promise<Record<string, number>> {
  const rows = await sql<{ state: string; count: number }>(
    `SELECT status || CASE WHEN status = 'retrying' THEN ' by ' || coalesce(retried_by, 'nobody') ELSE '' END AS state, count(*)::int AS count
       FROM deliveries WHERE endpoint_id = $1 GROUP BY 1`,
    [endpointId],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Creates students over the API in bulk, two events each. */
export async function createStudentsInBulk(api: TestApi, institution: TestInstitution, students: number): Promise<void> {
  for (let left = students; left > 0; left -= 200) {
    const body = { students: Array.from({ length: Math.min(200, left) }, () => ({})) };
    const { status, data } = await api.call('POST', '/students/bulk', { key: institution.apiKey, body });
    if (status !== 200 || data.created !== body.students.length) throw new Error('The students were not created');
  }
}
