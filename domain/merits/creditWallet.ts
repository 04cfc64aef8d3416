import type { MoveRow } from '../../db/repositories/merits/moves';
import type { WalletOwner } from '../../db/repositories/merits/wallets';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { findPreviousMove, type MoveRequest } from './findPreviousMove';
import { requireWalletOwnerForShare, lockBalances, payIn, requireActiveOwner } from './walletMoves';

/** A requested credit: cents from the allowance, for a person by login email or internal id. */
export interface CreditRequest extends MoveRequest {
  email: string;
}

/** A move of a wallet, its owner, and whether this request made it. */
export interface WalletMove {
  move: MoveRow;
  owner: WalletOwner;
  applied: boolean;
}

/**
 * Credits a wallet from the institution's allowance, once per ref (section Merits, POST /merits/credits). A repeated ref
 * returns the first move. Emits `merits.credited`. `user_not_found`; `conflict` for another request under the same ref;
 * `user_inactive` for a suspended person; `insufficient_allowance`.
 */
export async function creditWallet(tx: Transaction, request: CreditRequest): Promise<WalletMove> {
  const owner = await requireWalletOwnerForShare(tx, request.email);
  tx.recordSubject({ user_id: owner.id });
  const { allowanceCents } = await lockBalances(tx, owner);
  const earlier = await findPreviousMove(tx, 'credit', owner, request);
  if (earlier !== undefined) return { move: earlier, owner, applied: false };
  requireActiveOwner(owner);
  const { amount_cents: amountCents, reason = null, ref } = request;
  if (amountCents > allowanceCents) throw new DomainError('insufficient_allowance', `The allowance has ${allowanceCents} cents left, less than amount_cents. The platform raises it.`);
  return { move: await payIn(tx, owner, { kind: 'credit', amountCents, reason, ref }), owner, applied: true };
}
