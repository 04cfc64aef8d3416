import { statement, type Sql } from '../../statement';

/** How long a letter is left to who has claimed it, in ms: longer than sending and recording ten take. */
export const emailLeaseMs = 60_000;

/** What came of one claimed letter; `waiting` is put off until `tryAfter`. Errors hold no address. */
export type EmailOutcome =
  | { status: 'sent' }
  | { status: 'refused' | 'skipped'; error: string }
  | { status: 'waiting'; error: string; tryAfter: Date };

/** How many letters a batch has, and how many of them stand how. */
export interface EmailCounts {
  total: number;
  sent: number;
  refused: number;
  skipped: number;
}

/** Where the letters of a batch and the batch itself are kept. The columns of how a letter went have the same names in every table. */
interface EmailTables {
  /** Begins the names of the statements. */
  name: string;
  emailTable: string;
  /** The column that says to whom a letter goes. */
  recipientColumn: string;
  /** The columns that, after `institution_id`, name a letter's batch. */
  emailBatchColumns: readonly string[];
  batchTable: string;
  /** The same columns in the table of batches. */
  batchColumns: readonly string[];
}

/** What names a batch: its institution, then the values of the batch's columns. */
type BatchKey = readonly [institutionId: string, ...values: unknown[]];

/** Letters that go out in batches: each is claimed for {@link emailLeaseMs}, sent, and recorded; in every table alike. */
export interface EmailRows {
  /**
   * Claims the next letters whose turn it is and reads them by `select`, from `claimed`: the letters' rows. Values of
   * `select` are those of the key, from $1.
   */
  claim<Row extends object>(sql: Sql, key: BatchKey, select: string, now: Date, limit: number): Promise<Row[]>;
  /** Writes down what came of claimed letters. */
  record(sql: Sql, key: BatchKey, now: Date, outcomes: readonly { recipientId: string; outcome: EmailOutcome }[]): Promise<void>;
  /** Gives claimed letters back as if they had not been tried. */
  release(sql: Sql, key: BatchKey, now: Date, recipientIds: readonly string[]): Promise<void>;
  /** The counts of a batch, and when the next letter that still waits may be tried, `now` at the earliest. */
  progress(sql: Sql, key: BatchKey, now: Date): Promise<{ counts: EmailCounts; nextTryAt: Date }>;
  /** Ends a batch; letters that still wait are sent no more, for the reason given. */
  end(sql: Sql, key: BatchKey, now: Date, reason: string): Promise<void>;
}

/** The statements over one table of letters. */
export function emailRows({ name, emailTable, recipientColumn, emailBatchColumns, batchTable, batchColumns }: EmailTables): EmailRows {
  const keyConditions = (columns: readonly string[]): string => ['institution_id', ...columns].map((column, nth) => `${column} = $${nth + 1}`).join(' AND ');
  /** The nth value after the key. */
  const after = (nth: number): string => `$${emailBatchColumns.length + 1 + nth}`;
  const inBatch = keyConditions(emailBatchColumns);

  // Planned each time: a plan from before there were letters would read all of them for every ten, as would a join with the ten.
  const claimed =
    `WITH due AS (
       SELECT ${recipientColumn} FROM ${emailTable} WHERE ${inBatch} AND status = 'waiting' AND try_after <= ${after(1)}
        ORDER BY try_after, ${recipientColumn} LIMIT ${after(3)} FOR UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE ${emailTable} SET try_after = ${after(2)} WHERE ${inBatch} AND ${recipientColumn} = ANY (ARRAY(SELECT ${recipientColumn} FROM due)) RETURNING *
     )`;

  const record = statement(
    `${name}_record`,
    `UPDATE ${emailTable} r
        SET status = o.status, try_after = coalesce(o.try_after, r.try_after), tries = r.tries + (o.status = 'waiting')::int,
            sent_at = CASE o.status WHEN 'sent' THEN ${after(1)}::timestamptz END, error = o.error
       FROM unnest(${after(2)}::text[], ${after(3)}::text[], ${after(4)}::timestamptz[], ${after(5)}::text[]) AS o (recipient_id, status, try_after, error)
      WHERE ${inBatch} AND r.${recipientColumn} = ANY (${after(2)}::text[]) AND r.${recipientColumn} = o.recipient_id
        AND (r.status = 'waiting' OR o.status = 'sent')`,
  );

  const release = statement(
    `${name}_release`,
    `UPDATE ${emailTable} SET try_after = ${after(1)} WHERE ${inBatch} AND ${recipientColumn} = ANY (${after(2)}::text[]) AND status = 'waiting'`,
  );

  const count =
    `SELECT count(*)::int AS total, count(*) FILTER (WHERE status = 'sent')::int AS sent, count(*) FILTER (WHERE status = 'refused')::int AS refused,
            count(*) FILTER (WHERE status = 'skipped')::int AS skipped,
            greatest(min(try_after) FILTER (WHERE status = 'waiting'), ${after(1)}) AS next_try_at
       FROM ${emailTable} WHERE ${inBatch}`;

  const end = statement(
    `${name}_end`,
    `WITH ended AS (UPDATE ${batchTable} SET ended_at = ${after(1)} WHERE ${keyConditions(batchColumns)} AND ended_at IS NULL)
     UPDATE ${emailTable} SET status = 'skipped', error = ${after(2)} WHERE ${inBatch} AND status = 'waiting'`,
  );

  return {
    claim: (sql, key, select, now, limit) => sql(`${claimed} ${select}`, [...key, now, new Date(now.getTime() + emailLeaseMs), limit]),
    record: async (sql, key, now, outcomes) => {
      await sql(record, [
        ...key,
        now,
        outcomes.map(({ recipientId }) => recipientId),
        outcomes.map(({ outcome }) => outcome.status),
        outcomes.map(({ outcome }) => (outcome.status === 'waiting' ? outcome.tryAfter : null)),
        outcomes.map(({ outcome }) => (outcome.status === 'sent' ? null : outcome.error)),
      ]);
    },
    release: async (sql, key, now, recipientIds) => {
      await sql(release, [...key, now, recipientIds]);
    },
    progress: async (sql, key, now) => {
      const [row] = await sql<EmailCounts & { next_try_at: Date }>(count, [...key, now]);
      if (row === undefined) throw new Error('A count answers one row');
      const { next_try_at, ...counts } = row;
      return { counts, nextTryAt: next_try_at };
    },
    end: async (sql, key, now, reason) => {
      await sql(end, [...key, now, reason]);
    },
  };
}
