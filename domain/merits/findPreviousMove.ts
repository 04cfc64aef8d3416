import { findCreditByRef, findSpendByRef, type MoveRow } from '../../db/repositories/merits/moves';
import type { WalletOwner } from '../../db/repositories/merits/wallets';
import type { Transaction } from '../context';
import { DomainError } from '../errors';

/** A request to move money, once per ref. */
export interface MoveRequest {
  amount_cents: number;
  reason?: string | null | undefined;
  ref: string;
}

/**
 * Returns the move that an earlier request with this ref made, if any; read under the locks of wallet and allowance. A
 * credit's ref is unique per institution, a spend's per wallet. `conflict` if the earlier request had another person,
 * amount or reason.
 */
export async function findPreviousMove(tx: Transaction, kind: 'credit' | 'spend', owner: WalletOwner, request: MoveRequest): Promise<MoveRow | undefined> {
  const earlier = await (kind === 'credit' ? findCreditByRef(tx, request.ref) : findSpendByRef(tx, owner.id, request.ref));
  if (earlier === undefined) return undefined;
  const same = earlier.user_id === owner.id && earlier.amount_cents === request.amount_cents && earlier.reason === (request.reason ?? null);
  if (!same) throw new DomainError('conflict', `ref is already used by another ${kind}; repeat it with the same person, amount_cents and reason, or use a new ref.`);
  return earlier;
}
