import type { AllowanceRow, LedgerRow } from '../../../db/repositories/merits/ledger';
import type { MoveRow } from '../../../db/repositories/merits/moves';
import type { WalletOwner } from '../../../db/repositories/merits/wallets';
import type { WalletMove } from '../../../domain/merits/creditWallet';
import { walletCentsAfter } from '../../../domain/merits/walletMoves';
import type { AppliedMoveResponse, CreditResponse, AllowanceResponse, WalletResponse, LedgerMoveResponse } from './merits.schemas';

/** Returns a move of a wallet as the response to the call that made it, and to each repeat of the call. */
export function presentAppliedMove({ move, owner, applied }: WalletMove): AppliedMoveResponse {
  if (move.ref === null) throw new Error('A move that was asked for has a ref');
  return {
    id: move.id,
    email: owner.login_email,
    user_id: owner.id,
    amount_cents: move.amount_cents,
    balance_cents: walletCentsAfter(move),
    reason: move.reason,
    ref: move.ref,
    applied,
    created_at: move.created_at.toISOString(),
  };
}

/** The response to a credit, with the remaining allowance. */
export function presentCredit(credit: WalletMove): CreditResponse {
  const { allowance_cents } = credit.move;
  if (allowance_cents === null) throw new Error('A credit is paid from the allowance');
  return { ...presentAppliedMove(credit), allowance_cents };
}

/** The allowance; the granted amount is the sum of the remaining and the credited one. */
export function presentAllowance({ balance_cents: left, credited_cents: credited }: AllowanceRow): AllowanceResponse {
  return { allowance_cents: left, granted_cents: left + credited, credited_cents: credited };
}

function presentMove({ id, kind, from_account, to_account, amount_cents, wallet_cents, reason, ref, batch_id, created_at }: MoveRow) {
  return {
    id, kind, from: from_account, to: to_account, amount_cents, balance_cents: wallet_cents, reason, ref, batch_id, created_at: created_at.toISOString(),
  };
}

/** A wallet with its newest moves, the newest first. */
export function presentWallet({ id, login_email }: WalletOwner, moves: readonly MoveRow[]): WalletResponse {
  const [newest] = moves;
  return {
    user_id: id,
    email: login_email,
    balance_cents: newest === undefined ? 0 : walletCentsAfter(newest),
    moves: moves.map((move) => ({ ...presentMove(move), balance_cents: walletCentsAfter(move) })),
  };
}

/** A move in the institution's ledger. */
export function presentLedgerMove(row: LedgerRow): LedgerMoveResponse {
  return { ...presentMove(row), user_id: row.user_id, email: row.email, allowance_cents: row.allowance_cents };
}
