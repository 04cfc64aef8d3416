import type { BatchRow } from '../../../db/repositories/coupons/batches';
import type { CouponRow, RedemptionRow } from '../../../db/repositories/coupons/coupons';
import type { BatchWithCoupons } from '../../../domain/coupons/readCoupons';
import { batchStatusAt } from '../../../domain/coupons/transitions';
import { isoOrNull } from '../../http/request/fields';
import type { CouponBatchSummaryResponse, CouponResponse, CouponBatchResponse, CouponRedemptionResponse } from './coupons.schemas';

/** A coupon batch in a list (section Merits, allowance, coupons); expired as soon as its time has passed. */
export function presentBatchSummary(row: BatchRow, now: Date): CouponBatchSummaryResponse {
  return {
    id: row.id,
    name: row.name,
    total_coupons: row.total_coupons,
    value_cents: row.value_cents,
    expiry_date: row.expiry_date.toISOString(),
    status: batchStatusAt(row, now),
    reason: row.reason,
    redeemed_count: row.redeemed_count,
    decided_at: isoOrNull(row.decided_at),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

const presentCoupon = ({ code, redeemed_by, redeemed_at }: CouponRow): CouponResponse => ({ code, redeemed_by, redeemed_at: isoOrNull(redeemed_at) });

/** The same with its codes, once it is approved. */
export function presentBatch({ batch, coupons }: BatchWithCoupons, now: Date): CouponBatchResponse {
  return { ...presentBatchSummary(batch, now), codes: coupons.map(presentCoupon) };
}

/** A redemption (`GET /coupons/redemptions`). */
export function presentRedemption({ redeemed_at, ...row }: RedemptionRow): CouponRedemptionResponse {
  return { ...row, redeemed_at: redeemed_at.toISOString() };
}
