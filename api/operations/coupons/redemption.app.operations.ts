import { redeemCoupon, type Redemption } from '../../../domain/coupons/redeemCoupon';
import { walletCentsAfter } from '../../../domain/merits/walletMoves';
import { operation } from '../../http/operation';
import { redeemedSchema, redeemRequestSchema, type RedeemedResponse } from './redemption.app.schemas';

function presentRedeemedCoupon({ coupon, owner, move }: Redemption): RedeemedResponse {
  return {
    id: move.id,
    batch_id: coupon.batch_id,
    user_id: owner.id,
    email: owner.login_email,
    amount_cents: move.amount_cents,
    balance_cents: walletCentsAfter(move),
    redeemed_at: move.created_at.toISOString(),
  };
}

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
