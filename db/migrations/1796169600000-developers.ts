import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/** Developers as people of an institution who sign in by their own address, with what their invitations have come to. */
export class Developers1796169600000 implements MigrationInterface {
  readonly name = 'Developers1796169600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE users DROP CONSTRAINT users_kind_check;
ALTER TABLE users ADD CONSTRAINT users_kind_check CHECK (kind IN ('student', 'faculty', 'guardian', 'developer'));
ALTER TABLE users DROP CONSTRAINT users_guardian_has_address;
ALTER TABLE users ADD CONSTRAINT users_own_address CHECK (kind IN ('student', 'faculty') OR personal_email_hmac IS NOT NULL);
DROP INDEX users_personal_email;
CREATE UNIQUE INDEX users_personal_email ON users (institution_id, personal_email_hmac) WHERE personal_email_hmac IS NOT NULL AND kind IN ('student', 'faculty');
CREATE UNIQUE INDEX users_developer_address ON users (personal_email_hmac, institution_id) WHERE kind = 'developer';

CREATE TABLE developers (
  user_id text PRIMARY KEY REFERENCES users (id),
  institution_id text NOT NULL REFERENCES institutions (id),
  status text NOT NULL CHECK (status IN ('invited', 'active', 'suspended', 'revoked')),
  invitation integer NOT NULL DEFAULT 1 CHECK (invitation > 0),
  invited_by text NOT NULL,
  invited_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  suspended_at timestamptz(3),
  revoked_at timestamptz(3),
  CHECK (CASE status WHEN 'invited' THEN accepted_at IS NULL WHEN 'revoked' THEN true ELSE accepted_at IS NOT NULL END),
  CHECK ((status = 'suspended') = (suspended_at IS NOT NULL)),
  CHECK ((status = 'revoked') = (revoked_at IS NOT NULL))
);
CREATE INDEX developers_institution ON developers (institution_id);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ developers: 'true' }));
    await runner.query(`
DROP TABLE developers;
DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE kind = 'developer');
DELETE FROM sign_in_codes WHERE user_id IN (SELECT id FROM users WHERE kind = 'developer');
DELETE FROM users WHERE kind = 'developer';
SET CONSTRAINTS ALL IMMEDIATE;
DROP INDEX users_developer_address;
DROP INDEX users_personal_email;
CREATE UNIQUE INDEX users_personal_email ON users (institution_id, personal_email_hmac) WHERE personal_email_hmac IS NOT NULL AND kind <> 'guardian';
ALTER TABLE users DROP CONSTRAINT users_own_address;
ALTER TABLE users ADD CONSTRAINT users_guardian_has_address CHECK (kind <> 'guardian' OR personal_email_hmac IS NOT NULL);
ALTER TABLE users DROP CONSTRAINT users_kind_check;
ALTER TABLE users ADD CONSTRAINT users_kind_check CHECK (kind IN ('student', 'faculty', 'guardian'));
`);
  }
}
