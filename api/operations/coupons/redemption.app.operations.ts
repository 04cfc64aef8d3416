import { redeemCoupon } from '../../../domain/coupons/redeemCoupon';
import { operation } from '../../http/operation';
import { presentRedeemedCoupon } from './redemption.app.presenter';
import { redeemedSchema, redeemRequestSchema } from './redemption.app.schemas';

export const couponRedemption = [
  operation({
    method: 'POST',
    path: '/app/wallet/redeem',
    operationId: 'redeemCoupon',
    tag: 'Apps',
    access: { app: ['student'] },
    institution: 'caller',
    summary: "Redeem a coupon into the student's wallet, once.",
    description:
      'Paid from the batch, not from the allowance. Conflict for a coupon that is expired or already redeemed; the message says which, and whether ' +
      'this student redeemed it, so a call whose response was lost can be repeated. Emits merits.credited and coupon.redeemed.',
    request: { body: redeemRequestSchema },
    response: redeemedSchema,
    errors: ['not_found', 'conflict', 'user_inactive'],
    transaction: 'write',
    handle: async ({ body, principal, tx }) => presentRedeemedCoupon(await redeemCoupon(tx, principal.actorId, body.code)),
  }),
];
