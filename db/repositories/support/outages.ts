import { statement, type Sql } from '../../statement';

/** Attempts at an endpoint that failed in a row. */
export interface Outage {
  /** When the first of them began; of the maximum number of attempts, the first one counted. */
  from: Date;
  /** When the last of them began. */
  to: Date;
  failed_attempts: number;
  /** When the first attempt after them that succeeded began; null if there was none yet. */
  recovered_at: Date | null;
}

/** Maximum number of attempts among which the last failure is looked for, and of those that are counted as failed. */
export const maxOutageAttempts = 5_000;

const succeeded = 'coalesce(error_class IS NULL AND response_code BETWEEN 200 AND 299, false)';

// Each part reads the index in its order, and stops at the first row that it looks for: the windows count no further than that.
const lastOutage = statement(
  'support_last_outage',
  `WITH last AS MATERIALIZED (
     SELECT a.started_at FROM (SELECT started_at, ${succeeded} AS succeeded FROM webhook_attempts
             WHERE endpoint_id = $1 AND started_at <= $2 ORDER BY started_at DESC LIMIT ${maxOutageAttempts}) a
      WHERE NOT a.succeeded ORDER BY a.started_at DESC LIMIT 1),
   outage AS MATERIALIZED (
     SELECT o."from", o.failed_attempts
       FROM (SELECT a.started_at, a.succeeded, lead(a.started_at) OVER backwards AS earlier,
                    (count(*) FILTER (WHERE NOT a.succeeded) OVER backwards)::int AS failed_attempts, min(a.started_at) FILTER (WHERE NOT a.succeeded) OVER backwards AS "from"
               FROM (SELECT started_at, ${succeeded} AS succeeded FROM webhook_attempts
                      WHERE endpoint_id = $1 AND started_at <= (SELECT started_at FROM last) ORDER BY started_at DESC LIMIT ${maxOutageAttempts}) a
             WINDOW backwards AS (ORDER BY a.started_at DESC)) o
      WHERE o.earlier IS NULL OR (o.succeeded AND o.started_at < (SELECT started_at FROM last)) ORDER BY o.started_at DESC LIMIT 1)
   SELECT o."from", l.started_at AS "to", o.failed_attempts,
          (SELECT started_at FROM webhook_attempts
            WHERE endpoint_id = $1 AND started_at > (SELECT started_at FROM last) AND ${succeeded} ORDER BY started_at LIMIT 1) AS recovered_at
     FROM last l CROSS JOIN outage o`,
);

/** Returns the last failed attempts in a row that an endpoint had up to a moment, by the attempts that are stored; undefined without any. */
export async function findLastOutage(sql: Sql, endpointId: string, until: Date | null): Promise<Outage | undefined> {
  if (until === null) return undefined;
  const [row] = await sql<Outage>(lastOutage, [endpointId, until]);
  return row;
}
