import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/**
 * Support staff are people: each with a role, personal tokens and sessions of the console. They belong to no institution. The audit
 * log names them.
 */
export class Staff1798070400000 implements MigrationInterface {
  readonly name = 'Staff1798070400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE staff (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('support', 'operator')),
  oidc_issuer text,
  oidc_subject text,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  CHECK ((oidc_issuer IS NULL) = (oidc_subject IS NULL))
);
CREATE UNIQUE INDEX staff_email ON staff (email);
CREATE UNIQUE INDEX staff_subject ON staff (oidc_issuer, oidc_subject) WHERE oidc_subject IS NOT NULL;
CREATE INDEX staff_newest ON staff (created_at DESC, id DESC);

CREATE TABLE staff_tokens (
  id text PRIMARY KEY,
  staff_id text NOT NULL REFERENCES staff (id),
  name text NOT NULL,
  token_hash bytea NOT NULL,
  last_four text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE UNIQUE INDEX staff_tokens_hash ON staff_tokens (token_hash);
CREATE INDEX staff_tokens_newest ON staff_tokens (staff_id, created_at DESC, id DESC);

CREATE TABLE console_sessions (
  id_hash bytea PRIMARY KEY,
  staff_id text NOT NULL REFERENCES staff (id),
  token_id text REFERENCES staff_tokens (id),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX console_sessions_staff ON console_sessions (staff_id);
CREATE INDEX console_sessions_token ON console_sessions (token_id);
CREATE INDEX console_sessions_expiry ON console_sessions (expires_at);

ALTER TABLE audit_log DROP CONSTRAINT audit_log_actor_kind_check;
ALTER TABLE audit_log ADD CONSTRAINT audit_log_actor_kind_check CHECK (actor_kind IN ('key', 'platform', 'faculty', 'developer', 'staff')) NOT VALID;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ staff: 'true', audit_log: "actor_kind = 'staff'" }));
    await runner.query(`
ALTER TABLE audit_log DROP CONSTRAINT audit_log_actor_kind_check;
ALTER TABLE audit_log ADD CONSTRAINT audit_log_actor_kind_check CHECK (actor_kind IN ('key', 'platform', 'faculty', 'developer'));
DROP TABLE console_sessions;
DROP TABLE staff_tokens;
DROP TABLE staff;
`);
  }
}
