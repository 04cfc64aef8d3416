import type { InstitutionScope } from '../../db/database';
import { lockAllowance, lockWallet, writeMove, type MoveRow, type NewMove } from '../../db/repositories/merits/moves';
import { lockWalletOwnerForShare, readWalletOwner, type WalletOwner } from '../../db/repositories/merits/wallets';
import type { Transaction } from '../context';
import { DomainError, userNotFound } from '../errors';
import { newId } from '../ids';

/** The balances of a wallet and the institution's allowance, in cents, while both are locked. */
export interface LockedBalances {
  walletCents: number;
  allowanceCents: number;
}

/** Incoming moves of a wallet: a credit from the allowance, or the value of a coupon. */
export type PaidIn =
  | { kind: 'credit'; amountCents: number; reason: string | null; ref: string }
  | { kind: 'coupon'; amountCents: number; coupon: { batchId: string; number: number } };

/** Outgoing moves of a wallet. */
export interface PaidOut { kind: 'spend'; amountCents: number; reason: string | null; ref: string }

function assertOwnerFound(owner: WalletOwner | undefined): WalletOwner {
  if (owner === undefined) throw userNotFound();
  return owner;
}

/** Returns the owner of a wallet by internal id or login email. `user_not_found`. */
export async function findWalletOwner(reads: InstitutionScope, idOrEmail: string): Promise<WalletOwner> {
  return assertOwnerFound(await readWalletOwner(reads, idOrEmail));
}

/** Returns the owner of a wallet, locked for share as the first lock of every move, so that a suspension is committed before or after. `user_not_found`. */
export async function requireWalletOwnerForShare(tx: Transaction, idOrEmail: string): Promise<WalletOwner> {
  return assertOwnerFound(await lockWalletOwnerForShare(tx, idOrEmail));
}

/** `user_inactive` for a suspended person. */
export function requireActiveOwner({ status }: WalletOwner): void {
  if (status === 'suspended') throw new DomainError('user_inactive', 'The person is suspended. A student is let back in by POST /v1/students/{id}/reactivate.');
}

/** Takes the last locks: wallet, then allowance, whose row orders all moves of the institution. The returned balances are final. */
export async function lockBalances(tx: Transaction, owner: WalletOwner): Promise<LockedBalances> {
  const walletCents = await lockWallet(tx, owner.id);
  return { walletCents, allowanceCents: await lockAllowance(tx) };
}

const write = (tx: Transaction, owner: WalletOwner, paid: PaidIn | PaidOut): Promise<MoveRow> => {
  const move: NewMove = { id: newId('mov'), userId: owner.id, ...paid };
  return writeMove(tx, move, tx.now);
};

/** Credits a wallet after {@link lockBalances} and emits `merits.credited`, whose source is the kind of the move. */
export async function payIn(tx: Transaction, owner: WalletOwner, paid: PaidIn): Promise<MoveRow> {
  const move = await write(tx, owner, paid);
  tx.emit('merits.credited', {
    user_id: owner.id,
    amount_cents: move.amount_cents,
    balance_cents: walletCentsAfter(move),
    source: paid.kind,
    ref: move.ref,
  });
  return move;
}

/** Debits a wallet after {@link lockBalances}; spending emits nothing. */
export function payOut(tx: Transaction, owner: WalletOwner, paid: PaidOut): Promise<MoveRow> {
  return write(tx, owner, paid);
}

/** Returns the balance of the wallet after one of its moves, in cents. */
export function walletCentsAfter({ wallet_cents: cents }: MoveRow): number {
  if (cents === null) throw new Error('The move belongs to no wallet');
  return cents;
}
