import { findCreditByRef, findSpendByRef, type MoveRow } from '../../db/repositories/merits/moves';
import type { WalletOwner } from '../../db/repositories/merits/wallets';
import type { Transaction } from '../context';
import { DomainError } from '../errors';

/** A request to move money under a ref, which moves it once. */
export interface MoveRequest {
  amount_cents: number;
  reason?: string | null | undefined;
  ref: string;
}

/**
 * The move that this very request made before, if it did; asked under the locks of wallet and allowance. A credit's ref
 * is one of the institution, a spend's one of the wallet. Another request under its ref is a `conflict`: a repeat has the
 * same person, amount and reason.
 */
export async function findPreviousMove(tx: Transaction, kind: 'credit' | 'spend', owner: WalletOwner, request: MoveRequest): Promise<MoveRow | undefined> {
  const earlier = await (kind === 'credit' ? findCreditByRef(tx, request.ref) : findSpendByRef(tx, owner.id, request.ref));
  if (earlier === undefined) return undefined;
  const same = earlier.user_id === owner.id && earlier.amount_cents === request.amount_cents && earlier.reason === (request.reason ?? null);
  if (!same) throw new DomainError('conflict', `This ref was used by another ${kind}: a repeat has the same person, amount_cents and reason.`);
  return earlier;
}
