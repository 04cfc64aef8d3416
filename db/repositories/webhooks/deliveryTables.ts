import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/*
 * Open deliveries are in `open_deliveries`, ended ones in `webhook_deliveries`. What reads both reads the view `deliveries`, which has
 * each delivery once, as it is in one snapshot. It is moved in the statement that ends it, and in the one that replays it. A row is
 * locked in the table that has it.
 */

/** SQL of the id of an event's delivery to an endpoint: made from both, so that the primary key refuses a second one. Its time is that of the event. */
export const deliveryIdOf = (eventId: string, endpointId: string): string =>
  `'whd_' || substr(${eventId}, 5, 10) || left(encode(sha256(convert_to(${eventId} || ${endpointId}, 'UTF8')), 'hex'), 16)`;

/** What the row of an ended delivery says; the other columns are those of open ones. */
const endedColumns = [
  'id', 'institution_id', 'endpoint_id', 'event_id', 'event_type', 'event_created_at', 'status', 'cycle', 'attempts', 'schedule_step', 'response_code', 'error_class',
  'first_attempt_at', 'deadline_at', 'delivered_at', 'created_at', 'retried_by', 'ended_at', 'end_reason',
] as const;

/** A statement that ends deliveries `d`. */
interface EndingStatement {
  /** What comes before it, as `WITH …`. */
  before?: string;
  /** What it is joined with. */
  from?: string;
  /** Which deliveries end: of those that are locked meanwhile it is asked again. */
  where: string;
  /** What changes, as SQL by column; what open deliveries alone have becomes null. */
  changes: Partial<Record<typeof endedColumns[number], string>>;
  /** What else it does, as the further part of the `WITH`. */
  after?: string;
  /** What is returned of each, as SQL by name. */
  returning: Readonly<Record<string, string>>;
}

/**
 * Returns SQL that ends open deliveries: their rows move to `webhook_deliveries`. `after` is what else the statement does, with the rows
 * in `moved`.
 */
export function endingStatement({ before, from, where, changes, after, returning }: EndingStatement): string {
  const values = endedColumns.map((column) => `${changes[column] ?? `d.${column}`} AS ${column}`);
  const results = Object.entries(returning).map(([name, sql]) => `${sql} AS out_${name}`);
  return `WITH ${before === undefined ? '' : `${before}, `}moved AS (
     DELETE FROM open_deliveries d ${from === undefined ? '' : `USING ${from}`} WHERE ${where} RETURNING ${[...values, ...results].join(', ')}
   ), kept AS (
     INSERT INTO webhook_deliveries (${endedColumns.join(', ')}) SELECT ${endedColumns.join(', ')} FROM moved ON CONFLICT DO NOTHING
   )${after === undefined ? '' : `, ${after}`}
   SELECT ${Object.keys(returning).map((name) => `out_${name} AS ${name}`).join(', ')} FROM moved`;
}

const exists = statement('delivery_exists', 'SELECT 1 FROM deliveries WHERE institution_id = $1 AND id = $2');

/** Locks a delivery in one of the tables; returns its row, or none if it is not there. */
type Lock<Row> = (values: readonly [institutionId: string, id: string]) => Promise<Row[]>;

/**
 * Locks a delivery and returns its row; undefined if the institution has none with this id. One that is moved while a statement waits
 * for its lock is no longer in the table where it was: it is looked for again.
 */
export async function lockInEitherTable<Row>({ sql, institutionId }: InstitutionScope, id: string, lockOpen: Lock<Row>, lockEnded: Lock<Row>): Promise<Row | undefined> {
  for (;;) {
    for (const lock of [lockOpen, lockEnded]) {
      const [row] = await lock([institutionId, id]);
      if (row !== undefined) return row;
    }
    if ((await sql(exists, [institutionId, id])).length === 0) return undefined;
  }
}
