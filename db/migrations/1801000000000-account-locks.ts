import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './briefLocks';

/**
 * The code with the newest wrong try of an account says since when the account was locked by then. Null where it was not, and where the
 * release before wrote the try: a lock always begins at another code than the one before it, because a lock outlasts every code.
 */
export class AccountLocks1801000000000 implements MigrationInterface {
  readonly name = 'AccountLocks1801000000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'sign_in_codes', () => runner.query('ALTER TABLE sign_in_codes ADD COLUMN IF NOT EXISTS locked_at timestamptz'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_in_codes DROP COLUMN locked_at');
  }
}
