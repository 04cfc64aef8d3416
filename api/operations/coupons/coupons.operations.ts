import { exampleTimes } from '../../../domain/exampleSchool';
import { listBatches, type Decision } from '../../../db/repositories/coupons/batches';
import { listRedemptions } from '../../../db/repositories/coupons/coupons';
import { requestBatch } from '../../../domain/coupons/requestBatch';
import { readCoupons } from '../../../domain/coupons/readCoupons';
import { requireBatch } from '../../../domain/coupons/requireBatch';
import { decideBatch } from '../../../domain/coupons/decideBatch';
import { operation, type Operation } from '../../http/operation';
import { adminAccess } from '../../http/security/roles';
import { listOf, pagingQuery, presentPage } from '../../http/request/fields';
import { inPortal } from '../institutions/inPortal';
import { batchInPortal, batchOfInstitutionParams, decisionSchema } from './coupons.portal.schemas';
import { presentBatch, presentBatchSummary, presentRedemption } from './coupons.presenter';
import { batchParams, batchSchema, batchSummarySchema, newBatchSchema, redemptionQuery, redemptionSchema } from './coupons.schemas';

const tag = 'Coupons';

export const coupons = [
  operation({
    method: 'GET',
    path: '/coupons/batches',
    operationId: 'listCouponBatches',
    tag,
    access: { key: 'coupons:read', ...adminAccess },
    portal: inPortal('/coupon-batches', { operationId: 'listCouponBatchesOfInstitution', summary: "List an institution's coupon batches, newest first." }),
    summary: 'List coupon batches, newest first.',
    request: { query: pagingQuery },
    response: listOf(batchSummarySchema),
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, reads, caller: { now } }) => presentPage(await listBatches(reads, query), query, (row) => presentBatchSummary(row, now)),
  }),
  operation({
    method: 'POST',
    path: '/coupons/batches',
    operationId: 'requestCouponBatch',
    tag,
    access: { key: 'coupons:write' },
    summary: 'Request a batch of coupons; a platform admin approves or rejects it.',
    description: 'After a call that got no answer, send it again with the same Idempotency-Key: without one, the same call requests another batch. Conflict while 100 wait for a decision. Emits coupon.batch_requested.',
    request: { body: newBatchSchema },
    response: batchSchema,
    example: { response: { status: 'pending', reason: null, redeemed_count: 0, decided_at: null, updated_at: exampleTimes.batchRequested, codes: [] } },
    errors: ['conflict'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, tx }) => presentBatch(await readCoupons(tx, await requestBatch(tx, body)), tx.now),
  }),
  operation({
    method: 'GET',
    path: '/coupons/batches/:id',
    operationId: 'getCouponBatch',
    tag,
    access: { key: 'coupons:read', ...adminAccess },
    portal: batchInPortal,
    summary: 'Get a coupon batch; its codes once it is approved.',
    request: { params: batchParams },
    response: batchSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ params, reads, caller }) => presentBatch(await readCoupons(reads, await requireBatch(reads, params.id)), caller.now),
  }),
  operation({
    method: 'GET',
    path: '/coupons/redemptions',
    operationId: 'listCouponRedemptions',
    tag,
    access: { key: 'coupons:read' },
    summary: 'List who has redeemed which coupons, newest first.',
    request: { query: redemptionQuery },
    response: listOf(redemptionSchema),
    errors: [],
    transaction: 'none',
    discloses: 'many',
    handle: async ({ query, reads }) => presentPage(await listRedemptions(reads, query, query), query, presentRedemption),
  }),
];

const decisionOperation = (verb: string, operationId: string, decisionKind: Decision, docs: { summary: string; description: string }): Operation =>
  operation({
    method: 'POST',
    path: `/institutions/:id/coupon-batches/:batchId/${verb}`,
    operationId,
    tag,
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    ...docs,
    request: { params: batchOfInstitutionParams, body: decisionSchema },
    response: batchSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => presentBatch(await readCoupons(tx, await decideBatch(tx, params.batchId, decisionKind, body.reason ?? null)), tx.now),
  });

/** Only the platform decides coupon batches. */
export const couponDecisions = [
  decisionOperation('approve', 'approveCouponBatch', 'approved', {
    summary: 'Approve a coupon batch: its codes are made.',
    description:
      'It answers before they are: the batch stays `pending` until the last one is there, within seconds. An approved batch is answered unchanged. ' +
      'Conflict for one that is rejected, and from its expiry date on. Emits coupon.batch_approved when all codes are made.',
  }),
  decisionOperation('reject', 'rejectCouponBatch', 'rejected', {
    summary: 'Reject a coupon batch.',
    description: 'A rejected batch is answered unchanged. Conflict for one that is approved, and from its expiry date on.',
  }),
];
