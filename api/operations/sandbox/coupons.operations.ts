import Joi from 'joi';
import type { Decision } from '../../../db/repositories/coupons/batches';
import type { SchemaType } from '../../../lib/schemaType';
import { decideBatch } from '../../../domain/coupons/decideBatch';
import { readCoupons } from '../../../domain/coupons/readCoupons';
import { redeemCoupon } from '../../../domain/coupons/redeemCoupon';
import { requireAppStudent } from '../../../domain/sandbox/requireAppStudent';
import { operation, type Operation } from '../../http/operation';
import type { OperationExample } from '../../http/operationExample';
import { reference } from '../../http/request/fields';
import { decisionSchema } from '../coupons/coupons.portal.schemas';
import { presentBatch } from '../coupons/coupons.presenter';
import { batchParams, batchSchema, type CouponBatchResponse } from '../coupons/coupons.schemas';
import { presentRedeemedCoupon } from '../coupons/redemption.app.presenter';
import { redeemedSchema, typedCode } from '../coupons/redemption.app.schemas';

const tag = 'Sandbox';

const tooMany = 'Too many for this term';

const decisionOperation = (verb: string, operationId: string, decision: Decision, example: OperationExample<SchemaType<typeof decisionSchema>, CouponBatchResponse>, docs: { summary: string; description: string }): Operation =>
  operation({
    method: 'POST',
    path: `/sandbox/coupons/batches/:id/${verb}`,
    operationId,
    tag,
    access: { key: 'coupons:write', environment: 'test' },
    ...docs,
    request: { params: batchParams, body: decisionSchema },
    response: batchSchema,
    example,
    errors: ['not_found', 'conflict'],
    transaction: 'write',
    handle: async ({ params, body, tx }) => presentBatch(await readCoupons(tx, await decideBatch(tx, params.id, decision, body.reason ?? null)), tx.now),
  });

export const sandboxCoupons = [
  decisionOperation('approve', 'approveSandboxCouponBatch', 'approved', { response: { status: 'pending', redeemed_count: 0, codes: [] } }, {
    summary: 'Approve a coupon batch, as a platform admin does: its codes are made.',
    description:
      'It answers before they are: GET /coupons/batches/{id} has them once it is `approved`, within seconds, and coupon.batch_approved is emitted. An approved batch ' +
      'is answered unchanged. Conflict for one that is rejected, and from its expiry date on.',
  }),
  decisionOperation('reject', 'rejectSandboxCouponBatch', 'rejected', { request: { reason: tooMany }, response: { status: 'rejected', reason: tooMany, redeemed_count: 0, codes: [] } }, {
    summary: 'Reject a coupon batch, as a platform admin does.',
    description: 'A rejected batch is answered unchanged. Conflict for one that is approved, and from its expiry date on.',
  }),
  operation({
    method: 'POST',
    path: '/sandbox/coupons/redeem',
    operationId: 'redeemSandboxCoupon',
    tag,
    access: { key: 'coupons:write', environment: 'test' },
    summary: "Redeem a coupon into a student's wallet, once, as the app does.",
    description: 'The student has signed in before. Emits merits.credited and coupon.redeemed. Conflict for a coupon that is expired or already redeemed.',
    request: {
      body: Joi.object({
        student_id: reference().required().description('Internal id or generated login email.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
        code: typedCode,
      }).required(),
    },
    response: redeemedSchema,
    errors: ['not_found', 'conflict', 'user_inactive'],
    transaction: 'write',
    audit: { created: 'id' },
    handle: async ({ body, tx }) => {
      const { id } = await requireAppStudent(tx, body.student_id);
      return presentRedeemedCoupon(await redeemCoupon(tx, id, body.code));
    },
  }),
];
