import type { InstitutionScope } from '../../database';
import { readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import type { BatchRow } from './batches';

// One statement under the lock of the batch, whose count of codes determines the next numbers and is updated with them.
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

/** Inserts the next codes of a locked, approved batch; with the last one its status becomes `approved`. */
export async function insertCoupons({ institutionId, sql }: InstitutionScope, batchId: string, codes: readonly string[], now: Date): Promise<Pick<BatchRow, 'status' | 'codes_made'>> {
  const [row] = await sql<Pick<BatchRow, 'status' | 'codes_made'>>(insertNext, [institutionId, batchId, codes, now]);
  if (row === undefined) throw new Error('A locked batch has no row');
  return row;
}

/** A coupon in its batch's response. */
export interface CouponRow {
  code: string;
  redeemed_by: string | null;
  redeemed_at: Date | null;
}

const ofBatch = statement(
  'coupons_of_batch',
  'SELECT code, redeemed_by, redeemed_at FROM coupons WHERE institution_id = $1 AND batch_id = $2 ORDER BY number',
);

/** Returns every coupon of a batch, at most 10,000, in the order of creation. */
export function listCoupons({ institutionId, sql }: InstitutionScope, batchId: string): Promise<CouponRow[]> {
  return sql<CouponRow>(ofBatch, [institutionId, batchId]);
}

/** A coupon with the fields of its batch. */
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

/** Locks the institution's coupon with a code and reads it under the lock; undefined if its batch is not approved. */
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

/** Records who has redeemed a locked coupon, and counts it. Locks the batch's row, after all others except the event clock. */
export async function writeRedemption({ institutionId, sql }: InstitutionScope, { batch_id, number }: IssuedCoupon, userId: string, at: Date): Promise<void> {
  await sql(redeem, [institutionId, batch_id, number, userId, at]);
}

/** A redemption, with its coupon's batch and the redeemer's login email. */
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

/** Returns one page of the institution's redemptions, newest first; each has a unique time. */
export function listRedemptions({ institutionId, sql }: InstitutionScope, { since }: RedemptionFilter, page: Page): Promise<PageOf<RedemptionRow>> {
  const conditions = [
    { sql: 'c.institution_id = $', value: institutionId },
    // Always included, because the index contains redeemed coupons only.
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
