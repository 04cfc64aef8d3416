import type { Transaction } from '../context';
import { DomainError } from '../errors';
import type { WalletMove } from './creditWallet';
import { findPreviousMove, type MoveRequest } from './findPreviousMove';
import { requireWalletOwnerForShare, lockBalances, payOut, requireActiveOwner } from './walletMoves';

/**
 * Spends cents of a person's wallet on models, once per ref (platform API, POST /app/wallet/spend). A repeated ref returns
 * the first move. Emits nothing. `conflict` for another request under the same ref, and if the wallet has less than the
 * amount; `user_inactive` for a suspended person.
 */
export async function spendMerits(tx: Transaction, userId: string, request: MoveRequest): Promise<WalletMove> {
  const owner = await requireWalletOwnerForShare(tx, userId);
  const { walletCents } = await lockBalances(tx, owner);
  const earlier = await findPreviousMove(tx, 'spend', owner, request);
  if (earlier !== undefined) return { move: earlier, owner, applied: false };
  requireActiveOwner(owner);
  const { amount_cents: amountCents, reason = null, ref } = request;
  if (amountCents > walletCents) throw new DomainError('conflict', `The wallet has ${walletCents} cents, less than amount_cents.`);
  return { move: await payOut(tx, owner, { kind: 'spend', amountCents, reason, ref }), owner, applied: true };
}
