import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/**
 * Exams with what they are assigned to, their files and code secrets; attempts and submissions as far as exams look at
 * them; guardian links as far as letters need them; who is told of an exam.
 */
export class Exams1795564800000 implements MigrationInterface {
  readonly name = 'Exams1795564800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE exams (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  faculty_id text NOT NULL REFERENCES users (id),
  title text NOT NULL,
  exam_type text NOT NULL CHECK (exam_type IN ('exam', 'homework', 'assignment', 'quiz', 'project')),
  status text NOT NULL CHECK (status IN ('draft', 'published', 'closed')),
  max_score numeric(8, 2) NOT NULL CHECK (max_score > 0 AND max_score <= 100000),
  due_date timestamptz(3),
  time_limit_minutes integer CHECK (time_limit_minutes BETWEEN 1 AND 1440),
  allow_late_submission boolean NOT NULL,
  late_penalty_percentage numeric(5, 2) NOT NULL CHECK (late_penalty_percentage BETWEEN 0 AND 100),
  proctoring jsonb NOT NULL,
  ai_policy jsonb NOT NULL,
  code_spec jsonb,
  app text NOT NULL GENERATED ALWAYS AS (CASE WHEN code_spec IS NULL THEN 'svc' ELSE 'svccode' END) STORED,
  hidden_key_sealed text,
  hidden_key_set_at timestamptz(3),
  last_notice integer NOT NULL DEFAULT 0,
  published_at timestamptz(3),
  closed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CHECK ((hidden_key_sealed IS NULL) = (hidden_key_set_at IS NULL)),
  CHECK ((status = 'draft') = (published_at IS NULL)),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL))
);
CREATE INDEX exams_listing ON exams (institution_id, created_at DESC, id DESC);
CREATE INDEX exams_faculty ON exams (faculty_id, created_at DESC, id DESC);

CREATE TABLE exam_assignments (
  exam_id text NOT NULL REFERENCES exams (id),
  group_id text NOT NULL REFERENCES groups (id),
  institution_id text NOT NULL REFERENCES institutions (id),
  notice integer,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (exam_id, group_id)
);
CREATE INDEX exam_assignments_group ON exam_assignments (group_id);
CREATE INDEX exam_assignments_institution ON exam_assignments (institution_id);

CREATE TABLE files (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  exam_id text REFERENCES exams (id),
  status text NOT NULL CHECK (status IN ('storing', 'stored', 'removed')),
  filename text NOT NULL,
  content_type text NOT NULL,
  size bigint NOT NULL CHECK (size > 0),
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX files_institution ON files (institution_id);
CREATE INDEX files_exam ON files (exam_id);
CREATE INDEX files_not_stored ON files (updated_at, id) WHERE status <> 'stored';

CREATE TABLE exam_files (
  exam_id text NOT NULL REFERENCES exams (id),
  part text NOT NULL CHECK (part IN ('starter', 'sample_tests', 'hidden_tests')),
  file_id text NOT NULL REFERENCES files (id),
  institution_id text NOT NULL REFERENCES institutions (id),
  PRIMARY KEY (exam_id, part)
);
CREATE INDEX exam_files_file ON exam_files (file_id);
CREATE INDEX exam_files_institution ON exam_files (institution_id);

CREATE TABLE attempts (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  exam_id text NOT NULL REFERENCES exams (id),
  student_id text NOT NULL REFERENCES users (id),
  status text NOT NULL CHECK (status IN ('in_progress', 'submitted', 'abandoned')),
  started_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  hidden_released_at timestamptz(3),
  ended_at timestamptz(3),
  CHECK ((status = 'in_progress') = (ended_at IS NULL))
);
CREATE INDEX attempts_exam ON attempts (exam_id, student_id, started_at DESC);
CREATE INDEX attempts_student ON attempts (student_id);
CREATE INDEX attempts_institution ON attempts (institution_id);
CREATE UNIQUE INDEX attempts_one_in_progress ON attempts (exam_id, student_id) WHERE status = 'in_progress';

CREATE TABLE attempt_events (
  attempt_id text NOT NULL REFERENCES attempts (id),
  id text NOT NULL,
  institution_id text NOT NULL REFERENCES institutions (id),
  type text NOT NULL,
  at timestamptz(3) NOT NULL,
  detail jsonb,
  PRIMARY KEY (attempt_id, id)
);
CREATE INDEX attempt_events_institution ON attempt_events (institution_id);

CREATE TABLE submissions (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  exam_id text NOT NULL REFERENCES exams (id),
  student_id text NOT NULL REFERENCES users (id),
  attempt_id text NOT NULL UNIQUE REFERENCES attempts (id),
  version integer NOT NULL CHECK (version > 0),
  status text NOT NULL CHECK (status IN ('submitted', 'graded', 'resubmission_required', 'voided')),
  is_late boolean NOT NULL,
  score numeric(8, 2) CHECK (score >= 0),
  percentage numeric(5, 2) CHECK (percentage BETWEEN 0 AND 100),
  submitted_at timestamptz(3) NOT NULL,
  graded_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (exam_id, student_id, version),
  CHECK ((score IS NULL) = (percentage IS NULL))
);
CREATE INDEX submissions_student ON submissions (student_id);
CREATE INDEX submissions_listing ON submissions (institution_id, submitted_at DESC, id DESC);

CREATE TABLE code_secret_releases (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  exam_id text NOT NULL REFERENCES exams (id),
  attempt_id text UNIQUE REFERENCES attempts (id),
  student_id text REFERENCES users (id),
  released_by text NOT NULL,
  released_at timestamptz(3) NOT NULL,
  CHECK ((attempt_id IS NULL) = (student_id IS NULL))
);
CREATE INDEX code_secret_releases_exam ON code_secret_releases (exam_id, id DESC);
CREATE INDEX code_secret_releases_student ON code_secret_releases (student_id);
CREATE INDEX code_secret_releases_institution ON code_secret_releases (institution_id);

CREATE TABLE guardian_links (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  student_id text NOT NULL REFERENCES users (id),
  guardian_email_sealed text NOT NULL,
  guardian_email_hmac bytea NOT NULL,
  guardian_type text NOT NULL CHECK (guardian_type IN ('father', 'mother', 'guardian')),
  guardian_name text,
  is_primary boolean NOT NULL,
  verified_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (student_id, guardian_email_hmac)
);
CREATE INDEX guardian_links_listing ON guardian_links (institution_id, created_at DESC, id DESC);

CREATE TABLE exam_notices (
  exam_id text NOT NULL REFERENCES exams (id),
  number integer NOT NULL CHECK (number > 0),
  institution_id text NOT NULL REFERENCES institutions (id),
  created_at timestamptz(3) NOT NULL,
  gathered_at timestamptz(3),
  ended_at timestamptz(3),
  PRIMARY KEY (exam_id, number)
);
CREATE INDEX exam_notices_institution ON exam_notices (institution_id);
CREATE INDEX exam_notices_ended ON exam_notices (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE exam_notice_recipients (
  exam_id text NOT NULL,
  notice integer NOT NULL,
  recipient_id text NOT NULL,
  institution_id text NOT NULL REFERENCES institutions (id),
  kind text NOT NULL CHECK (kind IN ('student', 'guardian')),
  link_ids text[],
  status text NOT NULL CHECK (status IN ('waiting', 'sent', 'refused', 'skipped')),
  tries integer NOT NULL DEFAULT 0,
  try_after timestamptz(3) NOT NULL DEFAULT '-infinity',
  sent_at timestamptz(3),
  error text,
  PRIMARY KEY (exam_id, notice, recipient_id),
  FOREIGN KEY (exam_id, notice) REFERENCES exam_notices (exam_id, number),
  CHECK ((kind = 'guardian') = (link_ids IS NOT NULL))
);
CREATE INDEX exam_notice_recipients_waiting ON exam_notice_recipients (exam_id, notice, try_after, recipient_id) WHERE status = 'waiting';
CREATE INDEX exam_notice_recipients_institution ON exam_notice_recipients (institution_id);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ submissions: 'true', attempts: 'true', exams: 'true', files: 'true', guardian_links: 'true' }));
    await runner.query(`
DROP TABLE exam_notice_recipients, exam_notices, guardian_links, code_secret_releases, submissions, attempt_events, attempts,
  exam_files, files, exam_assignments, exams;
`);
  }
}
