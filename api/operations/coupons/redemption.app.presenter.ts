import type { Redemption } from '../../../domain/coupons/redeemCoupon';
import { walletCentsAfter } from '../../../domain/merits/walletMoves';
import type { RedeemedResponse } from './redemption.app.schemas';

/** A coupon that a student has redeemed. */
export function presentRedeemedCoupon({ coupon, owner, move }: Redemption): RedeemedResponse {
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
