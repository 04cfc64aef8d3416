import { listBatches, type NewBatch } from '../../../db/repositories/coupons/batches';
import { listRedemptions, type RedemptionFilter } from '../../../db/repositories/coupons/coupons';
import { requestBatch } from '../../../domain/coupons/requestBatch';
import { requireBatch } from '../../../domain/coupons/requireBatch';
import { publicOperation } from '../../http/operation';
import { listOf, pagingQuery, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { presentBatch, presentBatchSummary, presentRedemption } from './coupons.presenter';
import { batchParams, batchSchema, batchSummarySchema, newBatchSchema, redemptionQuery, redemptionSchema } from './coupons.schemas';

const tag = 'Coupons';

export const coupons = [
  publicOperation<Record<string, never>, Paging>({
    method: 'GET',
    path: '/coupons/batches',
    operationId: 'listCouponBatches',
    tag,
    scope: 'coupons:read',
    summary: 'List coupon batches, newest first.',
    request: { query: pagingQuery },
    response: listOf(batchSummarySchema),
    errors: [],
    transaction: 'none',
    handle: async ({ query, reads, caller: { now } }) => presentPage(await listBatches(reads, query), query, (row) => presentBatchSummary(row, now)),
  }),
  publicOperation<Record<string, never>, Record<string, never>, NewBatch>({
    method: 'POST',
    path: '/coupons/batches',
    operationId: 'requestCouponBatch',
    tag,
    scope: 'coupons:write',
    summary: 'Request a batch of coupons; a platform admin approves or rejects it.',
    description: 'Each call is a request of its own: where an answer was lost, look at the list first. Conflict while 100 wait for a decision. Emits coupon.batch_requested.',
    request: { body: newBatchSchema },
    response: batchSchema,
    errors: ['conflict'],
    transaction: 'write',
    handle: async ({ body, tx }) => presentBatch(tx, await requestBatch(tx, body), tx.now),
  }),
  publicOperation<IdParams>({
    method: 'GET',
    path: '/coupons/batches/:id',
    operationId: 'getCouponBatch',
    tag,
    scope: 'coupons:read',
    summary: 'Get a coupon batch; its codes once it is approved.',
    request: { params: batchParams },
    response: batchSchema,
    errors: ['not_found'],
    transaction: 'none',
    handle: async ({ params, reads, caller }) => {
      const batch = await requireBatch(reads, params.id);
      return presentBatch(reads, batch, caller.now);
    },
  }),
  publicOperation<Record<string, never>, RedemptionFilter & Paging>({
    method: 'GET',
    path: '/coupons/redemptions',
    operationId: 'listCouponRedemptions',
    tag,
    scope: 'coupons:read',
    summary: 'List who has redeemed which coupons, newest first.',
    request: { query: redemptionQuery },
    response: listOf(redemptionSchema),
    errors: [],
    transaction: 'none',
    handle: async ({ query, reads }) => presentPage(await listRedemptions(reads, query, query), query, presentRedemption),
  }),
];
