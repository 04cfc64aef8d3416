import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/**
 * Guardians as people of an institution who sign in by their own address, which their links no longer repeat; invitations
 * of links; weekly reports and the letters that bring them.
 */
export class Guardians1795824000000 implements MigrationInterface {
  readonly name = 'Guardians1795824000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE users DROP CONSTRAINT users_kind_check;
ALTER TABLE users ADD CONSTRAINT users_kind_check CHECK (kind IN ('student', 'faculty', 'guardian'));
ALTER TABLE users ADD CONSTRAINT users_guardian_has_address CHECK (kind <> 'guardian' OR personal_email_hmac IS NOT NULL);
DROP INDEX users_personal_email;
CREATE UNIQUE INDEX users_personal_email ON users (institution_id, personal_email_hmac) WHERE personal_email_hmac IS NOT NULL AND kind <> 'guardian';
CREATE UNIQUE INDEX users_guardian_address ON users (personal_email_hmac, institution_id) WHERE kind = 'guardian';

ALTER TABLE guardian_links
  ADD COLUMN guardian_id text REFERENCES users (id),
  ADD COLUMN invitation integer NOT NULL DEFAULT 1 CHECK (invitation > 0),
  ADD COLUMN invited_at timestamptz(3),
  ADD COLUMN expires_at timestamptz(3),
  ADD COLUMN accepted_at timestamptz(3);
INSERT INTO users (id, institution_id, kind, full_name, status, personal_email_sealed, personal_email_hmac, first_signed_in_at, created_at, updated_at)
SELECT 'usr_' || split_part(min(id), '_', 2), institution_id, 'guardian', min(guardian_name), 'active', min(guardian_email_sealed), guardian_email_hmac,
       min(verified_at), min(created_at), max(updated_at)
  FROM guardian_links GROUP BY institution_id, guardian_email_hmac;
UPDATE guardian_links l SET guardian_id = u.id, invited_at = l.created_at, expires_at = l.created_at + interval '14 days', accepted_at = l.verified_at
  FROM users u WHERE u.kind = 'guardian' AND u.institution_id = l.institution_id AND u.personal_email_hmac = l.guardian_email_hmac;
UPDATE guardian_links l SET is_primary = false
 WHERE is_primary AND EXISTS (SELECT 1 FROM guardian_links o WHERE o.student_id = l.student_id AND o.is_primary AND o.id < l.id);
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE guardian_links
  ALTER COLUMN guardian_id SET NOT NULL,
  ALTER COLUMN invited_at SET NOT NULL,
  ALTER COLUMN expires_at SET NOT NULL,
  DROP COLUMN guardian_email_sealed,
  DROP COLUMN guardian_email_hmac,
  ADD CHECK (verified_at IS NULL OR accepted_at IS NOT NULL),
  ADD CONSTRAINT guardian_links_pair UNIQUE (student_id, guardian_id);
CREATE UNIQUE INDEX guardian_links_one_primary ON guardian_links (student_id) WHERE is_primary;
CREATE INDEX guardian_links_guardian ON guardian_links (guardian_id);
CREATE INDEX guardian_links_verified ON guardian_links (institution_id, verified_at DESC) WHERE verified_at IS NOT NULL;

CREATE TABLE guardian_letters (
  institution_id text NOT NULL REFERENCES institutions (id),
  address_hmac bytea NOT NULL,
  asked_at timestamptz(3)[] NOT NULL,
  last_at timestamptz(3) NOT NULL,
  PRIMARY KEY (institution_id, address_hmac)
);
CREATE INDEX guardian_letters_last ON guardian_letters (institution_id, last_at);

CREATE TABLE weekly_reports (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  student_id text NOT NULL REFERENCES users (id),
  week date NOT NULL CHECK (extract(isodow FROM week) = 1),
  minutes integer NOT NULL CHECK (minutes >= 0),
  days_met integer NOT NULL CHECK (days_met BETWEEN 0 AND 7),
  points integer NOT NULL,
  points_balance integer NOT NULL CHECK (points_balance >= 0),
  concepts_mastered integer NOT NULL CHECK (concepts_mastered >= 0),
  streak_days integer NOT NULL CHECK (streak_days >= 0),
  badges text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  UNIQUE (student_id, week)
);
CREATE INDEX weekly_reports_listing ON weekly_reports (institution_id, created_at DESC, id DESC);
CREATE INDEX weekly_reports_week ON weekly_reports (institution_id, week);

CREATE TABLE weekly_report_runs (
  institution_id text NOT NULL REFERENCES institutions (id),
  week date NOT NULL,
  created_at timestamptz(3) NOT NULL,
  gathered_at timestamptz(3),
  ended_at timestamptz(3),
  PRIMARY KEY (institution_id, week)
);

CREATE TABLE weekly_report_letters (
  institution_id text NOT NULL,
  week date NOT NULL,
  guardian_id text NOT NULL REFERENCES users (id),
  status text NOT NULL CHECK (status IN ('waiting', 'sent', 'refused', 'skipped')),
  tries integer NOT NULL DEFAULT 0,
  try_after timestamptz(3) NOT NULL DEFAULT '-infinity',
  sent_at timestamptz(3),
  error text,
  PRIMARY KEY (institution_id, week, guardian_id),
  FOREIGN KEY (institution_id, week) REFERENCES weekly_report_runs (institution_id, week)
);
CREATE INDEX weekly_report_letters_waiting ON weekly_report_letters (institution_id, week, try_after, guardian_id) WHERE status = 'waiting';
CREATE INDEX weekly_report_letters_guardian ON weekly_report_letters (guardian_id);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ weekly_reports: 'true', guardian_links: 'invitation > 1 OR (accepted_at IS NOT NULL AND verified_at IS NULL)' }));
    await runner.query(`
DROP TABLE weekly_report_letters, weekly_report_runs, weekly_reports, guardian_letters;
DROP INDEX guardian_links_one_primary;
DROP INDEX guardian_links_guardian;
DROP INDEX guardian_links_verified;
ALTER TABLE guardian_links
  DROP CONSTRAINT guardian_links_pair,
  DROP CONSTRAINT guardian_links_check,
  ADD COLUMN guardian_email_sealed text,
  ADD COLUMN guardian_email_hmac bytea;
UPDATE guardian_links l SET guardian_email_sealed = u.personal_email_sealed, guardian_email_hmac = u.personal_email_hmac
  FROM users u WHERE u.id = l.guardian_id;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE guardian_links
  DROP COLUMN guardian_id, DROP COLUMN invitation, DROP COLUMN invited_at, DROP COLUMN expires_at, DROP COLUMN accepted_at,
  ALTER COLUMN guardian_email_sealed SET NOT NULL,
  ALTER COLUMN guardian_email_hmac SET NOT NULL,
  ADD UNIQUE (student_id, guardian_email_hmac);
DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE kind = 'guardian');
DELETE FROM sign_in_codes WHERE user_id IN (SELECT id FROM users WHERE kind = 'guardian');
DELETE FROM users WHERE kind = 'guardian';
SET CONSTRAINTS ALL IMMEDIATE;
DROP INDEX users_guardian_address;
DROP INDEX users_personal_email;
CREATE UNIQUE INDEX users_personal_email ON users (institution_id, personal_email_hmac) WHERE personal_email_hmac IS NOT NULL;
ALTER TABLE users DROP CONSTRAINT users_guardian_has_address;
ALTER TABLE users DROP CONSTRAINT users_kind_check;
ALTER TABLE users ADD CONSTRAINT users_kind_check CHECK (kind IN ('student', 'faculty'));
`);
  }
}
