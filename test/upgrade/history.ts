import type { Client } from 'pg';
import { withConnection } from '../../local/programs/postgres';
import type { Progress } from '../../local/progress';
import type { School } from './school';

const rowsPerStatement = 200_000;
/** Lists of 0.5.0 count every delivery of their institution. */
const deliveriesPerInstitution = 100_000;
const days = 30;
const dayMs = 86_400_000;

/** A table's columns, each with what the n-th row has, as SQL. */
type Columns = Readonly<Record<string, string>>;

// Of a thousand 15 are dead, 5 are cancelled, and all others arrived at once.
const failed = 'n % 1000 < 20';
const event = "'evt_0' || lpad(n::text, 25, '0')";
const delivery = "'whd_0' || lpad(n::text, 25, '0')";

const tables: Readonly<Record<string, Columns>> = {
  events: {
    id: event, institution_id: 'institution', type: "'student.updated'", created_at: 'at',
    body: `'{"id":"' || ${event} || '","type":"student.updated","created_at":"' || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","institution_id":"' || institution || '","data":{"student_id":"stu_0","changed":["full_name"],"status":"active"}}'`,
  },
  webhook_deliveries: {
    id: delivery, institution_id: 'institution', endpoint_id: 'endpoint', event_id: event, event_type: "'student.updated'", event_created_at: 'at',
    status: `CASE WHEN n % 1000 < 15 THEN 'dead' WHEN ${failed} THEN 'cancelled' ELSE 'delivered' END`, attempts: '1',
    response_code: `CASE WHEN ${failed} THEN 500 ELSE 204 END`, error_class: `CASE WHEN ${failed} THEN 'http' END`,
    first_attempt_at: 'at', delivered_at: `CASE WHEN NOT ${failed} THEN at END`, ended_at: 'at', created_at: 'at',
  },
  webhook_attempts: {
    delivery_id: delivery, number: '1', institution_id: 'institution', cycle: '1', started_at: 'at', duration_ms: '3 + n % 40', connect_ms: '1',
    response_code: `CASE WHEN ${failed} THEN 500 ELSE 204 END`, error_class: `CASE WHEN ${failed} THEN 'http' END`,
    response_body: `CASE WHEN ${failed} THEN '{"error":"unavailable"}' END`, endpoint_id: 'endpoint',
  },
};

/** Inserts the n-th to the m-th row into those columns that the release's schema has. */
async function statementFor(client: Client, table: string, columns: Columns): Promise<string> {
  const { rows } = await client.query<{ name: string }>("SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1", [table]);
  const known = Object.entries(columns).filter(([name]) => rows.some((column) => column.name === name));
  return `INSERT INTO ${table} (${known.map(([name]) => name).join(', ')})
    SELECT ${known.map(([, value]) => value).join(', ')}
      FROM (SELECT n, $3::timestamptz + n * ($4::float8 * interval '1 ms') AS at, ($1::text[])[1 + n % cardinality($1::text[])] AS institution, $2::text AS endpoint FROM generate_series($5::int, $6::int) n) made`;
}

/** Makes the institutions whose history it is; the first is that of the calls. */
async function institutionsFor(school: School, deliveries: number): Promise<string[]> {
  const ids = [school.id];
  while (ids.length * deliveriesPerInstitution < deliveries) {
    const domain = `history${ids.length}.example`;
    const body = { name: `History ${ids.length}`, login_domain: domain, admin_email: `admin@${domain}`, admin_name: 'Admin' };
    ids.push((await school.platform<{ id: string }>('POST /institutions', '/institutions', body)).id);
  }
  return ids;
}

/** Fills in so many deliveries of the last 30 days that have ended, each with its event and its attempt, of several institutions; returns the database's size in GB. */
export function fillHistory(ownerUrl: string, school: School, count: number, progress: Progress): Promise<number> {
  return progress.step(`${count} old deliveries`, (detail) => withConnection(ownerUrl, async (client) => {
    const institutions = await institutionsFor(school, count);
    const endpoint = await school.key<{ id: string }>('POST /webhooks/endpoints', '/webhooks/endpoints', { url: 'https://history.example/hook', events: ['coupon.redeemed'] });
    await school.key('PATCH /webhooks/endpoints/{id}', `/webhooks/endpoints/${endpoint.id}`, { status: 'paused' });
    const stepMs = Math.max(1, Math.floor(((days - 1) * dayMs) / Math.max(1, count)));
    const from = new Date(Date.now() - count * stepMs - 3_600_000);
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    for (const [table, columns] of Object.entries(tables)) {
      const statement = await statementFor(client, table, columns);
      for (let first = 1; first <= count; first += rowsPerStatement) {
        const last = Math.min(count, first + rowsPerStatement - 1);
        await client.query(statement, [institutions, endpoint.id, from, stepMs, first, last]);
        detail(`${table}: ${last}`);
      }
    }
    for (const table of Object.keys(tables)) await client.query(`VACUUM (ANALYZE) ${table}`);
    await client.query('CHECKPOINT');
    const { rows: [size] } = await client.query<{ bytes: number }>('SELECT pg_database_size(current_database())::float8 AS bytes');
    return Math.round((size?.bytes ?? 0) / 1e8) / 10;
  }));
}
