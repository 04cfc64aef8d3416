import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

// Without looking at the rows there are: a later migration does, beside writers.
const actorKinds = (kinds: readonly string[]): string => `
ALTER TABLE audit_log DROP CONSTRAINT IF EXISTS audit_log_actor_kind_check;
ALTER TABLE audit_log ADD CONSTRAINT audit_log_actor_kind_check CHECK (actor_kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})) NOT VALID;`;

/*
 * A student has one enrolment code, which the next one replaces. `account_claims` has the accounts whose students named the
 * address for their first code, and from which client address they asked. `last_wrong_at` is null where the release before
 * counted a try: the code's expiry, which is later, is taken instead. Rows go with their person, whom the release before deletes
 * without them: a guardian with the last link, the people of a sandbox.
 */
const schema = `
ALTER TABLE institutions ADD COLUMN require_enrolment_code boolean NOT NULL DEFAULT false;
-- Not within the sealed request: the release before deletes requests with fields that it does not know.
ALTER TABLE sign_in_emails ADD COLUMN client_address text;
ALTER TABLE sign_in_codes ADD COLUMN enrolment_code_id text, ADD COLUMN last_wrong_at timestamptz;
ALTER TABLE developers ADD COLUMN scope_ceiling text[];

CREATE TABLE enrolment_codes (
  user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  institution_id text NOT NULL REFERENCES institutions (id),
  id text NOT NULL UNIQUE,
  code_hmac bytea NOT NULL,
  wrong_tries integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX enrolment_codes_institution ON enrolment_codes (institution_id);
CREATE INDEX enrolment_codes_expired ON enrolment_codes (expires_at);

CREATE TABLE account_claims (
  user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  institution_id text NOT NULL REFERENCES institutions (id),
  client_address text NOT NULL,
  claimed_at timestamptz(3) NOT NULL,
  alerted boolean NOT NULL DEFAULT false
);
CREATE INDEX account_claims_recent ON account_claims (institution_id, client_address, claimed_at);
CREATE INDEX account_claims_at ON account_claims (claimed_at);

CREATE TABLE mailbox_changes (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  email_sealed text NOT NULL,
  code_hmac bytea NOT NULL,
  wrong_tries integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX mailbox_changes_user ON mailbox_changes (user_id, created_at DESC);
CREATE INDEX mailbox_changes_institution ON mailbox_changes (institution_id);
CREATE INDEX mailbox_changes_expired ON mailbox_changes (expires_at);
${actorKinds(['key', 'platform', 'faculty', 'developer', 'staff', 'system'])}
`;

/** Enrolment codes, claims of accounts, changes of one's own mailbox, and ceilings of developers' scopes. */
export class AccountProtection1798156800000 implements MigrationInterface {
  readonly name = 'AccountProtection1798156800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(schema);
  }

  // Open codes are worth nothing without the release that made them: people ask for others.
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ institutions: 'require_enrolment_code', developers: 'scope_ceiling IS NOT NULL', audit_log: "actor_kind = 'system'" }));
    await runner.query(`
DROP TABLE mailbox_changes;
DROP TABLE account_claims;
DROP TABLE enrolment_codes;
ALTER TABLE developers DROP COLUMN scope_ceiling;
ALTER TABLE sign_in_emails DROP COLUMN client_address;
ALTER TABLE sign_in_codes DROP COLUMN enrolment_code_id, DROP COLUMN last_wrong_at;
ALTER TABLE institutions DROP COLUMN require_enrolment_code;
${actorKinds(['key', 'platform', 'faculty', 'developer', 'staff'])}
`);
  }
}
