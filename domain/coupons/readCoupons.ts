import type { InstitutionScope } from '../../db/database';
import type { BatchRow } from '../../db/repositories/coupons/batches';
import { listCoupons, type CouponRow } from '../../db/repositories/coupons/coupons';

/** A coupon batch with its coupons. */
export interface BatchWithCoupons {
  batch: BatchRow;
  coupons: readonly CouponRow[];
}

/** Returns a batch with its coupons, which only an approved batch shows. */
export async function readCoupons(scope: InstitutionScope, batch: BatchRow): Promise<BatchWithCoupons> {
  return { batch, coupons: batch.status === 'approved' ? await listCoupons(scope, batch.id) : [] };
}
