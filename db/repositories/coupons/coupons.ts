import type { InstitutionScope } from '../../database';
import { readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import type { BatchRow } from './batches';

// One statement under the lock of the batch: its count of codes says which numbers come next, and moves with them.
const insertNext = statement(
  'coupons_insert_next',
  `WITH batch AS (
     UPDATE coupon_batches
        SET codes_made = codes_made + cardinality($3::text[]), updated_at = $4,
            status = CASE WHEN codes_made + cardinality($3::text[]) = total_coupons THEN 'approved' ELSE status END
      WHERE institution_id = $1 AND id = $2 RETURNING status, codes_made
   ), made AS (
     INSERT INTO coupons (batch_id, number, institution_id, code)
     SELECT $2, b.codes_made - cardinality($3::text[]) + c.nth, $1, c.code
       FROM batch b CROSS JOIN unnest($3::text[]) WITH ORDINALITY AS c (code, nth)
   )
   SELECT status, codes_made FROM batch`,
);

/** Gives a locked, approved batch its next codes; with the last of them it turns `approved`. */
export async function insertCoupons({ institutionId, sql }: InstitutionScope, batchId: string, codes: readonly string[], now: Date): Promise<Pick<BatchRow, 'status' | 'codes_made'>> {
  const [row] = await sql<Pick<BatchRow, 'status' | 'codes_made'>>(insertNext, [institutionId, batchId, codes, now]);
  if (row === undefined) throw new Error('A locked batch has no row');
  return row;
}

/** A coupon as its batch shows it. */
export interface CouponRow {
  code: string;
  redeemed_by: string | null;
  redeemed_at: Date | null;
}

const ofBatch = statement(
  'coupons_of_batch',
  'SELECT code, redeemed_by, redeemed_at FROM coupons WHERE institution_id = $1 AND batch_id = $2 ORDER BY number',
);

/** Every coupon of a batch, 10,000 at most, in the order in which they were made. */
export function listCoupons({ institutionId, sql }: InstitutionScope, batchId: string): Promise<CouponRow[]> {
  return sql<CouponRow>(ofBatch, [institutionId, batchId]);
}

/** A coupon that has been handed out, with what its batch says of it. */
export interface IssuedCoupon extends Omit<CouponRow, 'code'> {
  batch_id: string;
  number: number;
  value_cents: number;
  expiry_date: Date;
}

const lockByCode = statement(
  'coupon_lock_by_code',
  `SELECT c.batch_id, c.number, c.redeemed_by, c.redeemed_at, b.value_cents, b.expiry_date
     FROM coupons c JOIN coupon_batches b ON b.id = c.batch_id
    WHERE c.institution_id = $1 AND c.code = $2 AND b.status = 'approved' FOR NO KEY UPDATE OF c`,
);

/** Locks the institution's coupon of that code and reads it under the lock; undefined too while its batch is not approved. */
export async function lockCoupon({ institutionId, sql }: InstitutionScope, code: string): Promise<IssuedCoupon | undefined> {
  const [row] = await sql<IssuedCoupon>(lockByCode, [institutionId, code]);
  return row;
}

const redeem = statement(
  'coupon_redeem',
  `WITH redeemed AS (
     UPDATE coupons SET redeemed_by = $4, redeemed_at = $5 WHERE institution_id = $1 AND batch_id = $2 AND number = $3 RETURNING batch_id
   )
   UPDATE coupon_batches b SET redeemed_count = b.redeemed_count + 1 FROM redeemed r WHERE b.institution_id = $1 AND b.id = r.batch_id`,
);

/** Notes who has redeemed a locked coupon, and counts it. The batch's row is locked with it, after every other but the event clock. */
export async function writeRedemption({ institutionId, sql }: InstitutionScope, { batch_id, number }: IssuedCoupon, userId: string, at: Date): Promise<void> {
  await sql(redeem, [institutionId, batch_id, number, userId, at]);
}

/** A redemption, with its coupon's batch and the login email of who redeemed it. */
export interface RedemptionRow {
  batch_id: string;
  batch_name: string;
  code: string;
  user_id: string;
  email: string;
  value_cents: number;
  redeemed_at: Date;
}

/** The filter of `GET /coupons/redemptions`. */
export interface RedemptionFilter {
  /** Exclusive. */
  since?: Date | undefined;
}

/** One page of the institution's redemptions, newest first; no two of them bear the same time. */
export function listRedemptions({ institutionId, sql }: InstitutionScope, { since }: RedemptionFilter, page: Page): Promise<PageOf<RedemptionRow>> {
  const conditions = [
    { sql: 'c.institution_id = $', value: institutionId },
    // Always said: those that nobody has redeemed are not in the index either.
    { sql: 'c.redeemed_at > $', value: since ?? '-infinity' },
  ];
  return readPage<RedemptionRow>(
    sql,
    {
      columns: 'c.batch_id, b.name AS batch_name, c.code, c.redeemed_by AS user_id, e.login_email AS email, b.value_cents, c.redeemed_at',
      from: 'coupons c JOIN coupon_batches b ON b.id = c.batch_id JOIN institution_emails e ON e.user_id = c.redeemed_by',
      conditions,
      order: [
        { sql: 'c.redeemed_at', type: 'timestamptz', direction: 'DESC' },
        { sql: 'c.batch_id', type: 'text', direction: 'ASC' },
        { sql: 'c.number', type: 'integer', direction: 'ASC' },
      ],
    },
    page,
  );
}
