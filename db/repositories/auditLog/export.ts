import { cursorApplication } from '../../cursor';
import { statement, type Sql } from '../../statement';

/** A position in the exported logs: an entry's time and its id. */
export interface ExportPosition {
  at: Date;
  id: string;
}

/** An entry of the audit log or of the record of disclosures, in the order of both; columns that one of them lacks are null. */
export interface ExportedRow {
  id: string;
  log: 'audit' | 'disclosure';
  at: Date;
  institution_id: string | null;
  actor_kind: string;
  actor_id: string;
  /** Of a person of the staff, as it is now. */
  actor_name: string | null;
  operation: string;
  method: string | null;
  path: string | null;
  target: Readonly<Record<string, string | null>> | null;
  changed: string[] | null;
  what: string | null;
  subject_id: string | null;
  query: Readonly<Record<string, string | null>> | null;
  request_id: string;
}

// An entry has the time at which it was written, which is not before the begin of its transaction: what is older than the
// oldest transaction that is open is complete; those of cursors write nothing. A millisecond less, because times are rounded to one.
const horizon = statement(
  'audit_export_horizon',
  `SELECT date_trunc('milliseconds', least(clock_timestamp(), min(xact_start)) - interval '1 millisecond') AS before
     FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND application_name IS DISTINCT FROM '${cursorApplication}'`,
);

/** Returns the time before which nothing will be added to the logs; read what is older in a later statement. */
export async function readExportHorizon(sql: Sql): Promise<Date> {
  const [row] = await sql<{ before: Date }>(horizon);
  if (row === undefined) throw new Error('The horizon of the export has no row');
  return row.before;
}

const both = 'id, at, institution_id, actor_kind, actor_id, operation';
const part = (columns: string, log: string): string =>
  `(SELECT ${columns} FROM ${log} WHERE (at, id) > ($1::timestamptz, $2::text) AND at < $3::timestamptz ORDER BY at, id LIMIT $4)`;

const after = statement(
  'audit_export',
  `SELECT id, log, at, institution_id, actor_kind, actor_id, (SELECT s.name FROM staff s WHERE s.id = actor_id) AS actor_name, operation, method, path, target, changed, what, subject_id, query, request_id FROM (
     ${part(`'audit' AS log, ${both}, method, path, target, changed, NULL AS what, NULL AS subject_id, NULL::jsonb AS query, request_id`, 'audit_log')}
     UNION ALL
     ${part(`'disclosure' AS log, ${both}, NULL AS method, NULL AS path, NULL::jsonb AS target, NULL::text[] AS changed, what, subject_id, query, request_id`, 'disclosures')}
   ) entries ORDER BY at, id LIMIT $4`,
);

/** Returns at most `limit` entries of both logs, of any institution, after a position and before a time, oldest first. */
export function readExportAfter(sql: Sql, position: ExportPosition, before: Date, limit: number): Promise<ExportedRow[]> {
  return sql<ExportedRow>(after, [position.at, position.id, before, limit]);
}
