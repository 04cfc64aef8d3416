import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** The kind of a move, which determines its two accounts; the table of moves enforces it. */
export const moveKinds = ['grant', 'reclaim', 'credit', 'coupon', 'spend'] as const;
export type MoveKind = (typeof moveKinds)[number];

export const accounts = ['platform', 'allowance', 'wallet', 'coupons', 'models'] as const;
type Account = (typeof accounts)[number];

/** The two sides of each kind of move; the service stores no balance of `platform`, `coupons` and `models`. */
const sides: Record<MoveKind, { from: Account; to: Account }> = {
  grant: { from: 'platform', to: 'allowance' },
  reclaim: { from: 'allowance', to: 'platform' },
  credit: { from: 'allowance', to: 'wallet' },
  coupon: { from: 'coupons', to: 'wallet' },
  spend: { from: 'wallet', to: 'models' },
};

/** A move as stored: balances are those after it, null for a side that it does not have. */
export interface MoveRow {
  id: string;
  kind: MoveKind;
  from_account: Account;
  to_account: Account;
  amount_cents: number;
  allowance_cents: number | null;
  user_id: string | null;
  wallet_cents: number | null;
  reason: string | null;
  ref: string | null;
  batch_id: string | null;
  coupon_number: number | null;
  created_at: Date;
}

export const moveColumns = `m.id, m.kind, m.from_account, m.to_account, m.amount_cents::float8 AS amount_cents, m.allowance_cents::float8 AS allowance_cents,
  m.user_id, m.wallet_cents::float8 AS wallet_cents, m.reason, m.ref, m.batch_id, m.coupon_number, m.created_at`;

const openWallet = statement(
  'wallet_open',
  'INSERT INTO wallets (user_id, institution_id) VALUES ($2, $1) ON CONFLICT (user_id) DO NOTHING',
);
const lockOneWallet = statement(
  'wallet_lock',
  'SELECT balance_cents::float8 AS balance_cents FROM wallets WHERE institution_id = $1 AND user_id = $2 FOR NO KEY UPDATE',
);

/** Locks a person's wallet, created empty if missing; returns its balance in cents. */
export async function lockWallet({ institutionId, sql }: InstitutionScope, userId: string): Promise<number> {
  const own = [institutionId, userId];
  await sql(openWallet, own);
  const [row] = await sql<{ balance_cents: number }>(lockOneWallet, own);
  if (row === undefined) throw new Error('The wallet is not of this institution');
  return row.balance_cents;
}

const lockOwnAllowance = statement(
  'allowance_lock',
  'SELECT balance_cents::float8 AS balance_cents FROM allowances WHERE institution_id = $1 FOR NO KEY UPDATE',
);

/** Locks the institution's allowance, after any wallet; returns the remaining amount in cents. */
export async function lockAllowance({ institutionId, sql }: InstitutionScope): Promise<number> {
  const [row] = await sql<{ balance_cents: number }>(lockOwnAllowance, [institutionId]);
  if (row === undefined) throw new Error('The institution has no allowance');
  return row.balance_cents;
}

/** A move to be inserted; fields that its kind does not have are absent. */
export interface NewMove {
  id: string;
  kind: MoveKind;
  amountCents: number;
  userId?: string;
  reason?: string | null;
  ref?: string;
  coupon?: { batchId: string; number: number };
}

// One statement: balances, their numbers and the move appear together. The allowance's row is also the ledger's clock: moves
// of an institution get rising timestamps in commit order, so that a reader that continues after the newest misses none.
const write = statement(
  'merit_move_write',
  `WITH ledger AS (
     UPDATE allowances
        SET last_move_at = greatest($3::timestamptz, last_move_at + interval '1 millisecond'),
            balance_cents = balance_cents + CASE 'allowance' WHEN $6 THEN $7::bigint WHEN $5 THEN -$7::bigint ELSE 0 END,
            credited_cents = credited_cents + CASE WHEN $4 = 'credit' THEN $7::bigint ELSE 0 END,
            last_number = CASE WHEN 'allowance' IN ($5, $6) THEN coalesce(last_number, 0) + 1 ELSE last_number END
      WHERE institution_id = $1 RETURNING balance_cents, credited_cents, last_number, last_move_at
   ), wallet AS (
     UPDATE wallets
        SET balance_cents = balance_cents + CASE WHEN $6 = 'wallet' THEN $7::bigint ELSE -$7::bigint END,
            last_number = coalesce(last_number, 0) + 1
      WHERE institution_id = $1 AND user_id = $8 RETURNING user_id, balance_cents, last_number
   ), m AS (
     INSERT INTO merit_moves (id, institution_id, kind, from_account, to_account, amount_cents, allowance_number, allowance_cents, allowance_credited,
            user_id, wallet_number, wallet_cents, reason, ref, batch_id, coupon_number, created_at)
     SELECT $2, $1, $4, $5, $6, $7::bigint, CASE WHEN 'allowance' IN ($5, $6) THEN l.last_number END,
            CASE WHEN 'allowance' IN ($5, $6) THEN l.balance_cents END, CASE WHEN 'allowance' IN ($5, $6) THEN l.credited_cents END,
            w.user_id, w.last_number, w.balance_cents, $9, $10, $11, $12, l.last_move_at
       FROM ledger l LEFT JOIN wallet w ON true
     RETURNING *
   )
   SELECT ${moveColumns} FROM m`,
);

/** Inserts a move and updates the balances of its two sides, whose rows are locked: the wallet's first, then the allowance's. */
export async function writeMove({ institutionId, sql }: InstitutionScope, move: NewMove, now: Date): Promise<MoveRow> {
  const { id, kind, amountCents, userId, reason, ref, coupon } = move;
  const { from, to } = sides[kind];
  const values = [institutionId, id, now, kind, from, to, amountCents, userId ?? null, reason ?? null, ref ?? null, coupon?.batchId ?? null, coupon?.number ?? null];
  const [row] = await sql<MoveRow>(write, values);
  if (row === undefined) throw new Error('The institution has no allowance');
  return row;
}

const creditByRef = statement(
  'merit_credit_by_ref',
  `SELECT ${moveColumns} FROM merit_moves m WHERE m.institution_id = $1 AND m.kind = 'credit' AND m.ref = $2`,
);
const spendByRef = statement(
  'merit_spend_by_ref',
  `SELECT ${moveColumns} FROM merit_moves m WHERE m.institution_id = $1 AND m.kind = 'spend' AND m.ref = $2 AND m.user_id = $3`,
);

/** Returns the institution's credit with a ref; under the lock of the allowance no other can be added. */
export async function findCreditByRef({ institutionId, sql }: InstitutionScope, ref: string): Promise<MoveRow | undefined> {
  const [row] = await sql<MoveRow>(creditByRef, [institutionId, ref]);
  return row;
}

/** Returns the spend of a wallet with a ref; under the lock of the wallet no other can be added. */
export async function findSpendByRef({ institutionId, sql }: InstitutionScope, userId: string, ref: string): Promise<MoveRow | undefined> {
  const [row] = await sql<MoveRow>(spendByRef, [institutionId, ref, userId]);
  return row;
}
