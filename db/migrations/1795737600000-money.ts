import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/**
 * Money as a ledger of moves from one account to another. Each side of a move carries the number and the balance of its
 * account after it, chained to the move before: an allowance or a wallet that is not the sum of its moves cannot be
 * written. What was credited in all is chained the same way. Coupons with their batches.
 */
export class Money1795737600000 implements MigrationInterface {
  readonly name = 'Money1795737600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE coupon_batches (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  name text NOT NULL,
  total_coupons integer NOT NULL CHECK (total_coupons BETWEEN 1 AND 10000),
  value_cents integer NOT NULL CHECK (value_cents BETWEEN 1 AND 1000000),
  expiry_date timestamptz(3) NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'expired')),
  decision text CHECK (decision IN ('approved', 'rejected')),
  decided_at timestamptz(3),
  reason text,
  codes_made integer NOT NULL DEFAULT 0 CHECK (codes_made BETWEEN 0 AND total_coupons),
  redeemed_count integer NOT NULL DEFAULT 0 CHECK (redeemed_count BETWEEN 0 AND codes_made),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CHECK ((decision IS NULL) = (decided_at IS NULL)),
  CHECK (status <> 'approved' OR (decision IS NOT DISTINCT FROM 'approved' AND codes_made = total_coupons)),
  CHECK ((status = 'rejected') = (decision IS NOT DISTINCT FROM 'rejected')),
  CHECK (status <> 'expired' OR decision IS NULL)
);
CREATE INDEX coupon_batches_listing ON coupon_batches (institution_id, created_at DESC, id DESC);
CREATE INDEX coupon_batches_undecided ON coupon_batches (institution_id) WHERE status = 'pending' AND decision IS NULL;

CREATE TABLE coupons (
  batch_id text NOT NULL REFERENCES coupon_batches (id),
  number integer NOT NULL CHECK (number > 0),
  institution_id text NOT NULL REFERENCES institutions (id),
  code text NOT NULL UNIQUE CHECK (length(code) = 16),
  redeemed_by text REFERENCES users (id),
  redeemed_at timestamptz(3),
  PRIMARY KEY (batch_id, number),
  CHECK ((redeemed_by IS NULL) = (redeemed_at IS NULL))
);
CREATE INDEX coupons_redeemed ON coupons (institution_id, redeemed_at DESC, batch_id, number) WHERE redeemed_at IS NOT NULL;
CREATE INDEX coupons_institution ON coupons (institution_id);
CREATE INDEX coupons_redeemed_by ON coupons (redeemed_by);

CREATE TABLE allowances (
  institution_id text PRIMARY KEY REFERENCES institutions (id),
  balance_cents bigint NOT NULL DEFAULT 0 CHECK (balance_cents >= 0),
  credited_cents bigint NOT NULL DEFAULT 0,
  last_number integer,
  last_move_at timestamptz(3) NOT NULL DEFAULT '-infinity',
  CHECK (last_number IS NOT NULL OR (balance_cents = 0 AND credited_cents = 0))
) WITH (fillfactor = 50);

CREATE TABLE wallets (
  user_id text PRIMARY KEY REFERENCES users (id),
  institution_id text NOT NULL REFERENCES institutions (id),
  balance_cents bigint NOT NULL DEFAULT 0 CHECK (balance_cents >= 0),
  last_number integer,
  CHECK (last_number IS NOT NULL OR balance_cents = 0)
) WITH (fillfactor = 50);
CREATE INDEX wallets_institution ON wallets (institution_id);
ALTER TABLE wallets ADD CONSTRAINT wallets_of_institution UNIQUE (user_id, institution_id);

CREATE TABLE merit_moves (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  kind text NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  allowance_number integer CHECK (allowance_number > 0),
  allowance_cents bigint CHECK (allowance_cents >= 0),
  allowance_previous integer GENERATED ALWAYS AS (nullif(allowance_number, 1) - 1) STORED,
  allowance_before bigint GENERATED ALWAYS AS
    (allowance_cents + CASE WHEN from_account = 'allowance' THEN amount_cents ELSE -amount_cents END) STORED,
  allowance_credited bigint CHECK (allowance_credited >= 0),
  credited_before bigint GENERATED ALWAYS AS
    (allowance_credited - CASE WHEN kind = 'credit' THEN amount_cents ELSE 0 END) STORED,
  user_id text REFERENCES users (id),
  wallet_number integer CHECK (wallet_number > 0),
  wallet_cents bigint CHECK (wallet_cents >= 0),
  wallet_previous integer GENERATED ALWAYS AS (nullif(wallet_number, 1) - 1) STORED,
  wallet_before bigint GENERATED ALWAYS AS
    (wallet_cents + CASE WHEN from_account = 'wallet' THEN amount_cents ELSE -amount_cents END) STORED,
  reason text,
  ref text,
  batch_id text,
  coupon_number integer,
  created_at timestamptz(3) NOT NULL,
  CHECK ((kind, from_account, to_account) IN (
    ('grant', 'platform', 'allowance'), ('reclaim', 'allowance', 'platform'), ('credit', 'allowance', 'wallet'),
    ('coupon', 'coupons', 'wallet'), ('spend', 'wallet', 'models'))),
  CHECK ((allowance_number IS NOT NULL) = ('allowance' IN (from_account, to_account))),
  CHECK ((allowance_number IS NULL) = (allowance_cents IS NULL)),
  CHECK ((allowance_number IS NULL) = (allowance_credited IS NULL)),
  CHECK (allowance_number IS DISTINCT FROM 1 OR (allowance_before = 0 AND credited_before = 0)),
  CHECK ((wallet_number IS NOT NULL) = ('wallet' IN (from_account, to_account))),
  CHECK ((wallet_number IS NULL) = (wallet_cents IS NULL)),
  CHECK ((wallet_number IS NULL) = (user_id IS NULL)),
  CHECK (wallet_number IS DISTINCT FROM 1 OR wallet_before = 0),
  CHECK ((ref IS NOT NULL) = (kind IN ('credit', 'spend'))),
  CHECK ((kind = 'coupon') = (batch_id IS NOT NULL)),
  CHECK ((batch_id IS NULL) = (coupon_number IS NULL)),
  UNIQUE (institution_id, created_at),
  CONSTRAINT merit_moves_allowance_side UNIQUE (institution_id, allowance_number, allowance_cents, allowance_credited),
  CONSTRAINT merit_moves_wallet_side UNIQUE (user_id, wallet_number, wallet_cents),
  CONSTRAINT merit_moves_coupon UNIQUE (batch_id, coupon_number),
  CONSTRAINT merit_moves_allowance_chain FOREIGN KEY (institution_id, allowance_previous, allowance_before, credited_before)
    REFERENCES merit_moves (institution_id, allowance_number, allowance_cents, allowance_credited),
  CONSTRAINT merit_moves_wallet_chain FOREIGN KEY (user_id, wallet_previous, wallet_before)
    REFERENCES merit_moves (user_id, wallet_number, wallet_cents),
  CONSTRAINT merit_moves_wallet_of_institution FOREIGN KEY (user_id, institution_id) REFERENCES wallets (user_id, institution_id),
  FOREIGN KEY (batch_id, coupon_number) REFERENCES coupons (batch_id, number)
);
CREATE UNIQUE INDEX merit_moves_ref ON merit_moves (institution_id, kind, ref) WHERE ref IS NOT NULL;
CREATE UNIQUE INDEX merit_moves_allowance_number ON merit_moves (institution_id, allowance_number);
CREATE UNIQUE INDEX merit_moves_wallet_number ON merit_moves (user_id, wallet_number);

ALTER TABLE allowances ADD CONSTRAINT allowances_ledger FOREIGN KEY (institution_id, last_number, balance_cents, credited_cents)
  REFERENCES merit_moves (institution_id, allowance_number, allowance_cents, allowance_credited) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE wallets ADD CONSTRAINT wallets_ledger FOREIGN KEY (user_id, last_number, balance_cents)
  REFERENCES merit_moves (user_id, wallet_number, wallet_cents) DEFERRABLE INITIALLY DEFERRED;

INSERT INTO merit_moves (id, institution_id, kind, from_account, to_account, amount_cents, allowance_number, allowance_cents, allowance_credited, created_at)
SELECT 'mov_' || split_part(id, '_', 2), id, 'grant', 'platform', 'allowance', allowance_cents, 1, allowance_cents, 0, created_at
  FROM institutions WHERE allowance_cents > 0;
INSERT INTO allowances (institution_id, balance_cents, last_number, last_move_at)
SELECT id, allowance_cents, CASE WHEN allowance_cents > 0 THEN 1 END, CASE WHEN allowance_cents > 0 THEN created_at ELSE '-infinity' END FROM institutions;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE institutions DROP COLUMN allowance_cents;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ merit_moves: 'wallet_number IS NOT NULL OR allowance_number > 1', coupon_batches: 'true' }));
    await runner.query(`
ALTER TABLE institutions ADD COLUMN allowance_cents bigint NOT NULL DEFAULT 0 CHECK (allowance_cents >= 0);
UPDATE institutions i SET allowance_cents = a.balance_cents FROM allowances a WHERE a.institution_id = i.id;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE allowances DROP CONSTRAINT allowances_ledger;
ALTER TABLE wallets DROP CONSTRAINT wallets_ledger;
DROP TABLE merit_moves, wallets, allowances, coupons, coupon_batches;
`);
  }
}
