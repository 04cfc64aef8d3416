import type { Sql } from '../../statement';

/** How far a fill is, in rows of its table. */
export interface FillProgress {
  /** Rows that were looked at, of about `total`, whether or not they had to be filled. */
  seen: number;
  total: number;
  /** Rows that were filled. */
  filled: number;
  done: boolean;
}

/** Rows that one statement looks at. */
const chunkRows = 5_000;

/** What a fill does to a chunk: `part` returns the `id` of the next rows after the position, `filled` writes those that lack the value and returns a row for each. */
interface FillStatements {
  part: string;
  filled: string;
}

/**
 * Every fill that migrations have begun, by name; it stays for as long as a release is supported that comes from before it. A fill writes no
 * row that the service is writing, which writes the value itself, and none twice.
 */
const fills: Readonly<Record<string, FillStatements>> = {
  // An attempt of a cycle before says nothing of a delivery that was replayed.
  delivery_error_class: {
    part: `SELECT id, attempts, status FROM webhook_deliveries WHERE id > $2 ORDER BY id LIMIT ${chunkRows}`,
    filled: `UPDATE webhook_deliveries d SET error_class = a.error_class
      FROM (SELECT id, attempts, cycle FROM webhook_deliveries
             WHERE id = ANY (ARRAY(SELECT id FROM part WHERE attempts > 0 AND status <> 'delivered')) AND status <> 'delivered' AND error_class IS NULL
             ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) l
      JOIN webhook_attempts a ON a.delivery_id = l.id AND a.number = l.attempts AND a.cycle = l.cycle AND a.error_class IS NOT NULL
     WHERE d.id = l.id
    RETURNING d.id`,
  },
};

const fillStatement = ({ part, filled }: FillStatements): string => `WITH part AS MATERIALIZED (${part}), filled AS (${filled})
  UPDATE row_fills SET seen = seen + (SELECT count(*) FROM part), filled = filled + (SELECT count(*) FROM filled),
         position = coalesce((SELECT max(id) FROM part), position), progressed_at = clock_timestamp(),
         ended_at = CASE WHEN (SELECT count(*) FROM part) < ${chunkRows} THEN clock_timestamp() END
   WHERE name = $1`;

/** A statement of its own, so that the next one sees what the transaction has done that it waited for. */
const lockFill = 'SELECT position FROM row_fills WHERE name = $1 AND ended_at IS NULL FOR UPDATE';

/** Returns the names of the fills that have not ended. */
export async function listOpenFills(sql: Sql): Promise<string[]> {
  return (await sql<{ name: string }>('SELECT name FROM row_fills WHERE ended_at IS NULL ORDER BY name')).map(({ name }) => name);
}

/** Returns how far a fill is; undefined for one that no migration has begun. The number of rows in all is the planner's. */
export async function readFill(sql: Sql, name: string): Promise<FillProgress | undefined> {
  const [row] = await sql<FillProgress>(
    `SELECT f.seen::float8 AS seen, f.filled::float8 AS filled, f.ended_at IS NOT NULL AS done,
            greatest(f.seen, (SELECT sum(c.reltuples) FROM pg_class c WHERE c.oid = to_regclass(f.table_name) OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass(f.table_name))))::float8 AS total
       FROM row_fills f WHERE f.name = $1`,
    [name],
  );
  return row;
}

/**
 * Fills the next chunk and notes how far it is, in a transaction of the caller's: a second one goes on behind the first. No-op once the
 * fill has ended. Fails for a name that this release does not know.
 */
export async function fillChunk(sql: Sql, name: string): Promise<void> {
  const statements = fills[name];
  if (statements === undefined) throw new Error(`This release does not know the fill ${name}`);
  const [open] = await sql<{ position: string }>(lockFill, [name]);
  if (open !== undefined) await sql(fillStatement(statements), [name, open.position]);
}
