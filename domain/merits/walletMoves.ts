import type { InstitutionScope } from '../../db/database';
import { lockAllowance, lockWallet, writeMove, type MoveRow, type NewMove } from '../../db/repositories/merits/moves';
import { lockWalletOwnerForShare, readWalletOwner, type WalletOwner } from '../../db/repositories/merits/wallets';
import type { Transaction } from '../context';
import { DomainError, userNotFound } from '../errors';
import { newId } from '../ids';

/** What a wallet and the institution's allowance hold, in cents, while both are locked. */
export interface LockedBalances {
  walletCents: number;
  allowanceCents: number;
}

/** What comes into a wallet: a credit out of the allowance, or the value of a coupon. */
export type PaidIn =
  | { kind: 'credit'; amountCents: number; reason: string | null; ref: string }
  | { kind: 'coupon'; amountCents: number; coupon: { batchId: string; number: number } };

/** What goes out of a wallet. */
export interface PaidOut { kind: 'spend'; amountCents: number; reason: string | null; ref: string }

function assertOwnerFound(owner: WalletOwner | undefined): WalletOwner {
  if (owner === undefined) throw userNotFound();
  return owner;
}

/** The owner of a wallet by internal id or login email. `user_not_found`. */
export async function findWalletOwner(reads: InstitutionScope, idOrEmail: string): Promise<WalletOwner> {
  return assertOwnerFound(await readWalletOwner(reads, idOrEmail));
}

/** The first lock of every move of a wallet: its owner, held so that a suspension comes before or after. `user_not_found`. */
export async function requireWalletOwnerForShare(tx: Transaction, idOrEmail: string): Promise<WalletOwner> {
  return assertOwnerFound(await lockWalletOwnerForShare(tx, idOrEmail));
}

/** Nothing new moves for somebody suspended: `user_inactive`. */
export function requireActiveOwner({ status }: WalletOwner): void {
  if (status === 'suspended') throw new DomainError('user_inactive', 'The person is suspended.');
}

/** The last locks: wallet, then allowance, whose row orders every move of the institution. What is read after it is final. */
export async function lockBalances(tx: Transaction, owner: WalletOwner): Promise<LockedBalances> {
  const walletCents = await lockWallet(tx, owner.id);
  return { walletCents, allowanceCents: await lockAllowance(tx) };
}

const write = (tx: Transaction, owner: WalletOwner, paid: PaidIn | PaidOut): Promise<MoveRow> => {
  const move: NewMove = { id: newId('mov'), userId: owner.id, ...paid };
  return writeMove(tx, move, tx.now);
};

/** Pays into a wallet after {@link lockBalances} and emits `merits.credited`, whose source is the kind of the move. */
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

/** Pays out of a wallet after {@link lockBalances}; spending emits nothing. */
export function payOut(tx: Transaction, owner: WalletOwner, paid: PaidOut): Promise<MoveRow> {
  return write(tx, owner, paid);
}

/** The balance of the wallet after one of its moves, in cents. */
export function walletCentsAfter({ wallet_cents: cents }: MoveRow): number {
  if (cents === null) throw new Error('The move is of no wallet');
  return cents;
}
