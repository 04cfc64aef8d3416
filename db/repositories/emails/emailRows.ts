import { statement, type Sql } from '../../statement';

/** How long a claim of an email lasts, in ms: longer than sending and recording ten take. */
export const emailLeaseMs = 60_000;

/** The outcome of one claimed email; `waiting` is retried after `tryAfter`. Errors hold no address. */
export type EmailOutcome =
  | { status: 'sent' }
  | { status: 'refused' | 'skipped'; error: string }
  | { status: 'waiting'; error: string; tryAfter: Date };

/** How many emails a batch has, and how many have each status. */
export interface EmailCounts {
  total: number;
  sent: number;
  refused: number;
  skipped: number;
}

/** The tables of a batch and of its emails. The columns of an email's outcome have the same names in every table. */
interface EmailTables {
  /** The prefix of the statements' names. */
  name: string;
  emailTable: string;
  /** The column of an email's recipient. */
  recipientColumn: string;
  /** The columns that, after `institution_id`, identify an email's batch. */
  emailBatchColumns: readonly string[];
  batchTable: string;
  /** The same columns in the table of batches. */
  batchColumns: readonly string[];
}

/** The key of a batch: its institution, then the values of the batch's columns. */
type BatchKey = readonly [institutionId: string, ...values: unknown[]];

/** Emails sent in batches: each is claimed for {@link emailLeaseMs}, sent, and recorded; the same statements for every table. */
export interface EmailRows {
  /**
   * Claims the next due emails and reads them by `select`, from `claimed`: the rows of the emails. Values of
   * `select` are those of the key, from $1.
   */
  claim<Row extends object>(sql: Sql, key: BatchKey, select: string, now: Date, limit: number): Promise<Row[]>;
  /** Writes the outcomes of claimed emails. */
  record(sql: Sql, key: BatchKey, now: Date, outcomes: readonly { recipientId: string; outcome: EmailOutcome }[]): Promise<void>;
  /** Releases claimed emails as if they had not been tried. */
  release(sql: Sql, key: BatchKey, now: Date, recipientIds: readonly string[]): Promise<void>;
  /** The counts of a batch, and when the next waiting email may be tried, `now` at the earliest. */
  progress(sql: Sql, key: BatchKey, now: Date): Promise<{ counts: EmailCounts; nextTryAt: Date }>;
  /** Ends a batch; waiting emails are no longer sent, for the reason given. */
  end(sql: Sql, key: BatchKey, now: Date, reason: string): Promise<void>;
}

/** The statements over one table of emails. */
export function emailRows({ name, emailTable, recipientColumn, emailBatchColumns, batchTable, batchColumns }: EmailTables): EmailRows {
  const keyConditions = (columns: readonly string[]): string => ['institution_id', ...columns].map((column, nth) => `${column} = $${nth + 1}`).join(' AND ');
  /** The nth value after the key. */
  const after = (nth: number): string => `$${emailBatchColumns.length + 1 + nth}`;
  const inBatch = keyConditions(emailBatchColumns);

  // Not prepared: a plan cached for an empty table would read all emails for every ten, as would a join with the ten.
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
