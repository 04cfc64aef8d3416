import { listBatches, type Decision } from '../../../db/repositories/coupons/batches';
import { decideBatch } from '../../../domain/coupons/decideBatch';
import { requireBatch } from '../../../domain/coupons/requireBatch';
import { platformOperation, type OperationRecord, type PlatformCaller } from '../../http/operation';
import { listOf, pagingQuery, presentPage, type IdParams, type Paging } from '../../http/request/fields';
import { presentBatch, presentBatchSummary } from './coupons.presenter';
import { batchSchema, batchSummarySchema } from './coupons.schemas';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { adminRoles } from '../../http/security/roles';
import { batchParams, decisionSchema, type BatchParams, type DecisionBody } from './coupons.portal.schemas';

const tag = 'Coupons';

const decisionOperation = (verb: string, operationId: string, decisionKind: Decision, docs: { summary: string; description: string }): OperationRecord<PlatformCaller> =>
  platformOperation<BatchParams, Record<string, never>, DecisionBody>({
    method: 'POST',
    path: `/institutions/:id/coupon-batches/:batchId/${verb}`,
    operationId,
    tag,
    roles: ['platform'],
    institution: 'path',
    ...docs,
    request: { params: batchParams, body: decisionSchema },
    response: batchSchema,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => presentBatch(tx, await decideBatch(tx, params.batchId, decisionKind, body.reason ?? null), tx.now),
  });

/** An institution's admin sees its batches; the platform alone decides them. */
export const couponBatches = [
  platformOperation<IdParams, Paging>({
    method: 'GET',
    path: '/institutions/:id/coupon-batches',
    operationId: 'listCouponBatchesOfInstitution',
    tag,
    roles: adminRoles,
    institution: 'path',
    summary: "List an institution's coupon batches, newest first.",
    request: { params: institutionParams, query: pagingQuery },
    response: listOf(batchSummarySchema),
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: async ({ query, reads, caller: { now } }) => presentPage(await listBatches(reads, query), query, (row) => presentBatchSummary(row, now)),
  }),
  platformOperation<BatchParams>({
    method: 'GET',
    path: '/institutions/:id/coupon-batches/:batchId',
    operationId: 'getCouponBatchOfInstitution',
    tag,
    roles: adminRoles,
    institution: 'path',
    summary: 'Get a coupon batch; its codes once it is approved.',
    request: { params: batchParams },
    response: batchSchema,
    errors: ['not_found', 'institution_not_approved'],
    transaction: 'none',
    handle: async ({ params, reads, caller }) => {
      const batch = await requireBatch(reads, params.batchId);
      return presentBatch(reads, batch, caller.now);
    },
  }),
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
