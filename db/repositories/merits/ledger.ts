import type { InstitutionScope } from '../../database';
import { definedConditions, readPage, type Order, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import { moveColumns, type MoveRow } from './moves';

/** An institution's remaining allowance, and the total credited, in cents. */
export interface AllowanceRow {
  balance_cents: number;
  credited_cents: number;
}

const own = statement(
  'allowance_read',
  'SELECT balance_cents::float8 AS balance_cents, credited_cents::float8 AS credited_cents FROM allowances WHERE institution_id = $1',
);

/** The institution's allowance. */
export async function readAllowance({ institutionId, sql }: InstitutionScope): Promise<AllowanceRow> {
  const [row] = await sql<AllowanceRow>(own, [institutionId]);
  if (row === undefined) throw new Error('The institution has no allowance');
  return row;
}

const newestMoves = statement(
  'wallet_moves',
  `SELECT ${moveColumns} FROM merit_moves m WHERE m.institution_id = $1 AND m.user_id = $2 ORDER BY m.wallet_number DESC LIMIT 50`,
);

/** Returns the newest 50 moves of a wallet, newest first; the balance after the first of them is the wallet's. */
export function listWalletMoves({ institutionId, sql }: InstitutionScope, userId: string): Promise<MoveRow[]> {
  return sql<MoveRow>(newestMoves, [institutionId, userId]);
}

/** A move with the login email of the wallet's owner, if a wallet is involved. */
export interface LedgerRow extends MoveRow {
  email: string | null;
}

// No two moves of an institution have the same time.
const newest: Order = [{ sql: 'm.created_at', type: 'timestamptz', direction: 'DESC' }];

/** One page of the institution's moves, of every kind and account, newest first; `since` is exclusive. */
export function listMoves(scope: InstitutionScope, { since }: { since?: Date | undefined }, page: Page): Promise<PageOf<LedgerRow>> {
  const conditions = definedConditions([
    { sql: 'm.institution_id = $', value: scope.institutionId },
    { sql: 'm.created_at > $', value: since },
  ]);
  const columns = `${moveColumns}, e.login_email AS email`;
  const joins = 'LEFT JOIN institution_emails e ON e.user_id = m.user_id';
  return readPage(scope.sql, { columns, from: 'merit_moves m', joins, key: 'm.id', conditions, order: newest }, page);
}
