import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Emails with sign-in codes, from the call that asks for one until it is sent: who asked, and then the email itself, both
 * sealed. A row says nothing of whether an account exists.
 */
export class SignInEmails1796774500000 implements MigrationInterface {
  readonly name = 'SignInEmails1796774500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE sign_in_emails (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  request_id text NOT NULL,
  request_sealed text NOT NULL,
  email_sealed text,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  try_after timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX sign_in_emails_due ON sign_in_emails (try_after, seq);
`);
  }

  // What waits is worth nothing after ten minutes: people ask for another code.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_in_emails');
  }
}
