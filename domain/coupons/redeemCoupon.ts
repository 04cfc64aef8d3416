import { lockCoupon, writeRedemption, type IssuedCoupon } from '../../db/repositories/coupons/coupons';
import type { MoveRow } from '../../db/repositories/merits/moves';
import type { WalletOwner } from '../../db/repositories/merits/wallets';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import { requireWalletOwnerForShare, lockBalances, payIn, requireActiveOwner } from '../merits/walletMoves';
import { parseCode } from './codes';

/** A coupon credited to a wallet. */
export interface Redemption {
  coupon: IssuedCoupon;
  owner: WalletOwner;
  move: MoveRow;
}

function requireRedeemable({ redeemed_by, expiry_date }: IssuedCoupon, owner: WalletOwner, now: Date): void {
  if (redeemed_by === owner.id) throw new DomainError('conflict', 'The student has already redeemed this coupon.', {}, { reason: 'redeemed_by_this_person' });
  if (redeemed_by !== null) throw new DomainError('conflict', 'This coupon has been redeemed.', {}, { reason: 'redeemed_by_another' });
  if (expiry_date <= now) throw new DomainError('conflict', 'This coupon has expired.', {}, { reason: 'expired' });
}

/**
 * Credits a coupon to a person's wallet, once, from its batch and not from the allowance (platform API, POST
 * /app/wallet/redeem). Emits `merits.credited` and `coupon.redeemed`. `not_found` if the institution has no such code;
 * `conflict` if it is redeemed or expired; `user_inactive` for a suspended person.
 */
export async function redeemCoupon(tx: Transaction, userId: string, typed: string): Promise<Redemption> {
  const owner = await requireWalletOwnerForShare(tx, userId);
  requireActiveOwner(owner);
  const code = parseCode(typed);
  const coupon = code === undefined ? undefined : await lockCoupon(tx, code);
  if (coupon === undefined) throw notFound('coupon');
  requireRedeemable(coupon, owner, tx.now);
  await lockBalances(tx, owner);
  const { batch_id: batchId, number, value_cents: amountCents } = coupon;
  const move = await payIn(tx, owner, { kind: 'coupon', amountCents, coupon: { batchId, number } });
  await writeRedemption(tx, coupon, owner.id, move.created_at);
  tx.emit('coupon.redeemed', { batch_id: batchId, user_id: owner.id, value_cents: amountCents });
  return { coupon, owner, move };
}
