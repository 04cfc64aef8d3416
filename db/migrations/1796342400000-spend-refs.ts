import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildUniqueConcurrently, dropConcurrently } from './concurrentIndexes';

const indexes = {
  merit_moves_ref_of_wallet: 'merit_moves (institution_id, kind, ref, user_id) WHERE ref IS NOT NULL',
  merit_moves_ref_of_credit: "merit_moves (institution_id, ref) WHERE kind = 'credit'",
};

/** Two wallets that have spent under one ref. */
const shared = "SELECT 1 FROM merit_moves WHERE kind = 'spend' GROUP BY institution_id, ref HAVING count(*) > 1";

/**
 * The ref of a spend is unique per wallet, no longer per institution: a student cannot take another's. That of a credit
 * stays as it was, and so does every ref that was used before. The first index also answers those who look a ref up by
 * institution and kind, as version 0.5.0 does. The ledger is big, so the indexes are built beside writers, which no
 * transaction can do; the old one goes last, and a build that broke off is begun anew.
 */
export class SpendRefs1796342400000 implements MigrationInterface {
  readonly name = 'SpendRefs1796342400000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildUniqueConcurrently(runner, indexes);
    await dropConcurrently(runner, 'merit_moves_ref');
  }

  // In a transaction: writers wait until the index is built. Refs that several wallets have used by then cannot be kept
  // unique in the institution, and a ref is what a repeat is known by: such a ledger stays with this schema.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
LOCK TABLE merit_moves IN ACCESS EXCLUSIVE MODE;
DO $$ BEGIN
  IF EXISTS (${shared}) THEN
    RAISE EXCEPTION 'several wallets of an institution have spent under one ref, which the schema before does not allow: the one of now works with version 0.5.0 too';
  END IF;
END $$;
CREATE UNIQUE INDEX merit_moves_ref ON merit_moves (institution_id, kind, ref) WHERE ref IS NOT NULL;
DROP INDEX merit_moves_ref_of_wallet, merit_moves_ref_of_credit;
`);
  }
}
