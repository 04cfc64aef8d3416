import type { InstitutionScope } from '../../database';
import { newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';

/** A platform admin's decision about a batch. */
export type Decision = 'approved' | 'rejected';

/** The status of a batch; an approved one is `pending` until its last code is created. */
export const batchStatuses = ['pending', 'approved', 'rejected', 'expired'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** A coupon batch as stored. */
export interface BatchRow {
  id: string;
  name: string;
  total_coupons: number;
  value_cents: number;
  expiry_date: Date;
  status: BatchStatus;
  decision: Decision | null;
  decided_at: Date | null;
  reason: string | null;
  codes_made: number;
  redeemed_count: number;
  created_at: Date;
  updated_at: Date;
}

const columns = `b.id, b.name, b.total_coupons, b.value_cents, b.expiry_date, b.status, b.decision, b.decided_at, b.reason, b.codes_made,
  b.redeemed_count, b.created_at, b.updated_at`;

/** The fields of a request for coupons (section Merits, allowance, coupons). */
export interface NewBatch {
  name: string;
  total_coupons: number;
  value_cents: number;
  expiry_date: Date;
}

const insert = statement(
  'coupon_batch_insert',
  `INSERT INTO coupon_batches AS b (id, institution_id, name, total_coupons, value_cents, expiry_date, status, created_at, updated_at)
   VALUES ($2, $1, $3, $4, $5, $6, 'pending', $7, $7) RETURNING ${columns}`,
);

/** Inserts a batch that waits for a decision. */
export async function insertBatch({ institutionId, sql }: InstitutionScope, id: string, batch: NewBatch, now: Date): Promise<BatchRow> {
  const { name, total_coupons, value_cents, expiry_date } = batch;
  const [row] = await sql<BatchRow>(insert, [institutionId, id, name, total_coupons, value_cents, expiry_date, now]);
  if (row === undefined) throw new Error('The batch was not written');
  return row;
}

const undecided = statement(
  'coupon_batches_undecided',
  `SELECT count(*)::int AS count FROM coupon_batches WHERE institution_id = $1 AND status = 'pending' AND decision IS NULL AND expiry_date > $2`,
);

/** Counts the institution's batches that wait for a decision at `now`. */
export async function countUndecidedBatches({ institutionId, sql }: InstitutionScope, now: Date): Promise<number> {
  const [row] = await sql<{ count: number }>(undecided, [institutionId, now]);
  return row?.count ?? 0;
}

const byId = statement('coupon_batch_by_id', `SELECT ${columns} FROM coupon_batches b WHERE b.institution_id = $1 AND b.id = $2`);

/** A batch of the institution. */
export async function findBatch({ institutionId, sql }: InstitutionScope, id: string): Promise<BatchRow | undefined> {
  const [row] = await sql<BatchRow>(byId, [institutionId, id]);
  return row;
}

const lockById = statement('coupon_batch_lock', `${byId.text} FOR NO KEY UPDATE`);

/** The same inside a transaction: locks the batch's row and reads it under the lock. */
export async function lockBatch({ institutionId, sql }: InstitutionScope, id: string): Promise<BatchRow | undefined> {
  const [row] = await sql<BatchRow>(lockById, [institutionId, id]);
  return row;
}

/** One page of the institution's batches, newest first. */
export function listBatches({ institutionId, sql }: InstitutionScope, page: Page): Promise<PageOf<BatchRow>> {
  const conditions = [{ sql: 'b.institution_id = $', value: institutionId }];
  return readPage<BatchRow>(sql, { columns, from: 'coupon_batches b', conditions, order: newestFirst('b.created_at', 'b.id') }, page);
}

const decide = statement(
  'coupon_batch_decide',
  `UPDATE coupon_batches b
      SET decision = $3, decided_at = $5, reason = $4, updated_at = $5, status = CASE $3 WHEN 'rejected' THEN 'rejected' ELSE b.status END
    WHERE b.institution_id = $1 AND b.id = $2 RETURNING ${columns}`,
);

/** Records the decision about a locked undecided batch. */
export async function writeDecision({ institutionId, sql }: InstitutionScope, id: string, decision: Decision, reason: string | null, now: Date): Promise<BatchRow> {
  const [row] = await sql<BatchRow>(decide, [institutionId, id, decision, reason, now]);
  if (row === undefined) throw new Error('A locked batch has no row');
  return row;
}

const expire = statement(
  'coupon_batch_expire',
  `UPDATE coupon_batches b SET status = 'expired', updated_at = $3 WHERE b.institution_id = $1 AND b.id = $2 RETURNING ${columns}`,
);

/** Expires a locked undecided batch. */
export async function writeExpiry({ institutionId, sql }: InstitutionScope, id: string, now: Date): Promise<BatchRow> {
  const [row] = await sql<BatchRow>(expire, [institutionId, id, now]);
  if (row === undefined) throw new Error('A locked batch has no row');
  return row;
}

/** A batch that waits for a decision, and its institution: the contents of a reminder. */
export interface WaitingBatch extends BatchRow {
  institution_id: string;
  institution_name: string;
  login_domain: string;
}

const waiting = statement(
  'coupon_batch_waiting',
  `SELECT ${columns}, i.id AS institution_id, i.name AS institution_name, i.login_domain
     FROM coupon_batches b JOIN institutions i ON i.id = b.institution_id
    WHERE b.institution_id = $1 AND b.id = $2 AND b.status = 'pending' AND b.decision IS NULL AND b.expiry_date > $3`,
);

/** Returns the batch if it waits for a decision at `now`. */
export async function findWaitingBatch({ institutionId, sql }: InstitutionScope, id: string, now: Date): Promise<WaitingBatch | undefined> {
  const [row] = await sql<WaitingBatch>(waiting, [institutionId, id, now]);
  return row;
}
