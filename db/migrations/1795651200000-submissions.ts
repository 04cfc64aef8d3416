import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/** What the schema from before has no place for, or would take for something else: a file of an attempt for one of an exam. */
const losses = {
  submissions: `num_nonnulls(text, ai_usage_data, feedback, graded_by, void_reason, voided_at) > 0
    OR score IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM exams x WHERE x.id = exam_id AND x.max_score = submissions.max_score AND x.late_penalty_percentage = submissions.late_penalty_percentage)`,
  submission_attachments: 'true',
  files: "kind <> 'exam'",
  attempts: 'resumes > 0 OR event_count > 0 OR recorder_errors > 0',
  attempt_expiries: 'true',
  exam_notices: 'submission_id IS NOT NULL',
};

/**
 * What students do with an exam: what attempts add up to, their files, what a submission carries and what was said of
 * it, the run that waits for attempts to expire, and notices about one submission.
 */
export class Submissions1795651200000 implements MigrationInterface {
  readonly name = 'Submissions1795651200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE attempts
  ADD COLUMN resumes integer NOT NULL DEFAULT 0,
  ADD COLUMN event_count integer NOT NULL DEFAULT 0,
  ADD COLUMN focus_losses integer NOT NULL DEFAULT 0,
  ADD COLUMN seconds_away double precision NOT NULL DEFAULT 0,
  ADD COLUMN recorder_errors integer NOT NULL DEFAULT 0;
CREATE INDEX attempts_expiring ON attempts (exam_id, expires_at) WHERE status = 'in_progress';
CREATE INDEX attempt_events_in_order ON attempt_events (attempt_id, at, id);

ALTER TABLE files
  ADD COLUMN kind text NOT NULL DEFAULT 'exam' CHECK (kind IN ('exam', 'attachment', 'recording')),
  ADD COLUMN attempt_id text REFERENCES attempts (id),
  ADD CHECK ((kind = 'exam') = (attempt_id IS NULL)),
  ADD CHECK (attempt_id IS NULL OR exam_id IS NULL);
CREATE INDEX files_ownerless ON files (id) WHERE kind = 'exam' AND exam_id IS NULL AND status = 'stored';
CREATE INDEX files_attempt ON files (attempt_id, kind, created_at, id) WHERE attempt_id IS NOT NULL;

ALTER TABLE submissions
  ADD COLUMN text text,
  ADD COLUMN ai_usage_data jsonb,
  ADD COLUMN max_score numeric(8, 2) CHECK (max_score > 0),
  ADD COLUMN late_penalty_percentage numeric(5, 2) CHECK (late_penalty_percentage BETWEEN 0 AND 100),
  ADD COLUMN feedback text,
  ADD COLUMN graded_by text REFERENCES users (id),
  ADD COLUMN void_reason text,
  ADD COLUMN voided_at timestamptz(3);
UPDATE submissions s SET max_score = x.max_score, late_penalty_percentage = x.late_penalty_percentage FROM exams x WHERE x.id = s.exam_id AND s.score IS NOT NULL;
ALTER TABLE submissions
  ADD CHECK ((score IS NULL) = (max_score IS NULL)),
  ADD CHECK ((score IS NULL) = (late_penalty_percentage IS NULL)),
  ADD CHECK (score <= max_score),
  ADD CHECK ((status = 'voided') = (voided_at IS NOT NULL)) NOT VALID;
CREATE INDEX submissions_graded_by ON submissions (graded_by);
CREATE INDEX submissions_changed ON submissions (institution_id, updated_at);

CREATE TABLE submission_attachments (
  submission_id text NOT NULL REFERENCES submissions (id),
  position integer NOT NULL,
  file_id text NOT NULL REFERENCES files (id),
  institution_id text NOT NULL REFERENCES institutions (id),
  name text NOT NULL,
  PRIMARY KEY (submission_id, position),
  UNIQUE (submission_id, name)
);
CREATE INDEX submission_attachments_file ON submission_attachments (file_id);
CREATE INDEX submission_attachments_institution ON submission_attachments (institution_id);

CREATE TABLE attempt_expiries (
  exam_id text PRIMARY KEY REFERENCES exams (id),
  institution_id text NOT NULL REFERENCES institutions (id),
  run integer NOT NULL,
  open boolean NOT NULL,
  next_at timestamptz(3)
);
CREATE INDEX attempt_expiries_institution ON attempt_expiries (institution_id);

ALTER TABLE exam_notices ADD COLUMN submission_id text REFERENCES submissions (id);
CREATE INDEX exam_notices_submission ON exam_notices (submission_id);

CREATE INDEX institution_emails_in_order ON institution_emails (institution_id, login_email COLLATE "C");
DROP INDEX institution_emails_institution;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss(losses));
    await runner.query(`
CREATE INDEX institution_emails_institution ON institution_emails (institution_id);
DROP INDEX institution_emails_in_order;
DROP INDEX exam_notices_submission;
ALTER TABLE exam_notices DROP COLUMN submission_id;
DROP TABLE attempt_expiries, submission_attachments;
DROP INDEX submissions_changed, submissions_graded_by;
ALTER TABLE submissions
  DROP COLUMN text, DROP COLUMN ai_usage_data, DROP COLUMN max_score, DROP COLUMN late_penalty_percentage, DROP COLUMN feedback,
  DROP COLUMN graded_by, DROP COLUMN void_reason, DROP COLUMN voided_at;
DROP INDEX files_attempt, files_ownerless;
ALTER TABLE files DROP COLUMN attempt_id, DROP COLUMN kind;
DROP INDEX attempt_events_in_order, attempts_expiring;
ALTER TABLE attempts
  DROP COLUMN resumes, DROP COLUMN event_count, DROP COLUMN focus_losses, DROP COLUMN seconds_away, DROP COLUMN recorder_errors;
`);
  }
}
