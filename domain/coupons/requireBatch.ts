import type { InstitutionScope } from '../../db/database';
import { findBatch, type BatchRow } from '../../db/repositories/coupons/batches';
import { notFound } from '../errors';

/** The batch where there is one, else `not_found`. */
export function assertBatchFound(batch: BatchRow | undefined): BatchRow {
  if (batch === undefined) throw notFound('coupon batch');
  return batch;
}

/** Returns a coupon batch of the institution; `not_found`. */
export const requireBatch = async (scope: InstitutionScope, id: string): Promise<BatchRow> => assertBatchFound(await findBatch(scope, id));
