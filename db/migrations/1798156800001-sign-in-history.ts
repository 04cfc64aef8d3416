import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/* Tries of one minute with one address and one result are one row, with their number: who tries without end fills no disk. */
const schema = `
CREATE TABLE sign_ins (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  at timestamptz(3) NOT NULL,
  client_address text,
  result text NOT NULL CHECK (result IN ('signed_in', 'wrong_code', 'no_valid_code', 'locked', 'not_allowed', 'unlicensed')),
  tries integer NOT NULL DEFAULT 1
);
CREATE INDEX sign_ins_user ON sign_ins (user_id, at DESC, id DESC);
CREATE INDEX sign_ins_institution ON sign_ins (institution_id);
CREATE INDEX sign_ins_at ON sign_ins (at);
`;

/** Who signed in, or tried to, when, from where and with which result. */
export class SignInHistory1798156800001 implements MigrationInterface {
  readonly name = 'SignInHistory1798156800001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(schema);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ sign_ins: 'true' }));
    await runner.query('DROP TABLE sign_ins');
  }
}
