import type { InstitutionScope } from '../../db/database';
import { findBatch, type BatchRow } from '../../db/repositories/coupons/batches';
import { requireFound } from '../errors';

/** Returns a coupon batch of the institution; `not_found`. */
export const requireBatch = async (scope: InstitutionScope, id: string): Promise<BatchRow> => requireFound(await findBatch(scope, id), 'coupon batch');
