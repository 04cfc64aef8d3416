import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Shares of the emails with sign-in codes: five waiting requests for a login email, of which the row keeps a fingerprint, known
 * or not, and so many of an institution under way, once it is known. And which code an email carries, so that one that never
 * left can be told from those that did.
 */
export class SignInShares1796860800000 implements MigrationInterface {
  readonly name = 'SignInShares1796860800000';

  // Rows of the release before have neither fingerprint nor place, and never meet in the index.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE sign_in_emails
  ADD COLUMN login_email_hmac bytea,
  ADD COLUMN place smallint,
  ADD COLUMN institution_id text,
  ADD COLUMN code_id text;
CREATE UNIQUE INDEX sign_in_emails_share ON sign_in_emails (login_email_hmac, place);
ALTER TABLE sign_in_codes ADD COLUMN unsent_at timestamptz(3);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE sign_in_codes DROP COLUMN unsent_at;
DROP INDEX sign_in_emails_share;
ALTER TABLE sign_in_emails
  DROP COLUMN login_email_hmac,
  DROP COLUMN place,
  DROP COLUMN institution_id,
  DROP COLUMN code_id;
`);
  }
}
