import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseLoss } from './refuseLoss';

/** Alpha Learning: curricula, enrollments, what students reach in them, their points as a chained ledger, badges, streaks. */
export class Alpha1795910400000 implements MigrationInterface {
  readonly name = 'Alpha1795910400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE curricula (
  id text PRIMARY KEY,
  institution_id text REFERENCES institutions (id),
  title text NOT NULL,
  status text NOT NULL CHECK (status IN ('draft', 'published')),
  created_at timestamptz(3) NOT NULL,
  published_at timestamptz(3),
  CHECK ((status = 'published') = (published_at IS NOT NULL))
);
CREATE INDEX curricula_institution ON curricula (institution_id, created_at DESC, id DESC);

CREATE TABLE curriculum_concepts (
  curriculum_id text NOT NULL REFERENCES curricula (id),
  concept_id text NOT NULL,
  position integer NOT NULL CHECK (position > 0),
  title text NOT NULL,
  requires text[] NOT NULL,
  PRIMARY KEY (curriculum_id, concept_id),
  UNIQUE (curriculum_id, position)
);

CREATE TABLE alpha_enrollments (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  curriculum_id text NOT NULL REFERENCES curricula (id),
  student_id text NOT NULL REFERENCES users (id),
  status text NOT NULL CHECK (status IN ('active', 'paused', 'completed', 'withdrawn')),
  daily_target_minutes integer NOT NULL CHECK (daily_target_minutes BETWEEN 5 AND 480),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3),
  CHECK ((status = 'completed') = (completed_at IS NOT NULL))
);
CREATE UNIQUE INDEX alpha_enrollments_open ON alpha_enrollments (student_id, curriculum_id) WHERE status <> 'withdrawn';
CREATE INDEX alpha_enrollments_student ON alpha_enrollments (student_id, created_at DESC, id DESC);
CREATE INDEX alpha_enrollments_listing ON alpha_enrollments (institution_id, created_at DESC, id DESC);
CREATE INDEX alpha_enrollments_curriculum ON alpha_enrollments (curriculum_id);

CREATE TABLE alpha_mastery (
  student_id text NOT NULL REFERENCES users (id),
  curriculum_id text NOT NULL,
  concept_id text NOT NULL,
  institution_id text NOT NULL REFERENCES institutions (id),
  score numeric(5, 2) NOT NULL CHECK (score BETWEEN 0 AND 100),
  mastered_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (student_id, curriculum_id, concept_id),
  FOREIGN KEY (curriculum_id, concept_id) REFERENCES curriculum_concepts (curriculum_id, concept_id),
  CHECK ((score >= 80) = (mastered_at IS NOT NULL))
);
CREATE INDEX alpha_mastery_concept ON alpha_mastery (curriculum_id, concept_id);
CREATE INDEX alpha_mastery_institution ON alpha_mastery (institution_id);

CREATE TABLE alpha_progress (
  student_id text NOT NULL REFERENCES users (id),
  ref text NOT NULL,
  institution_id text NOT NULL REFERENCES institutions (id),
  enrollment_id text NOT NULL REFERENCES alpha_enrollments (id),
  concept_id text NOT NULL,
  score numeric(5, 2) NOT NULL CHECK (score BETWEEN 0 AND 100),
  minutes integer NOT NULL CHECK (minutes BETWEEN 0 AND 1440),
  day date NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (student_id, ref)
);
CREATE INDEX alpha_progress_enrollment ON alpha_progress (enrollment_id, created_at DESC);
CREATE INDEX alpha_progress_institution ON alpha_progress (institution_id);

CREATE TABLE alpha_days (
  enrollment_id text NOT NULL REFERENCES alpha_enrollments (id),
  day date NOT NULL,
  student_id text NOT NULL REFERENCES users (id),
  institution_id text NOT NULL REFERENCES institutions (id),
  minutes integer NOT NULL CHECK (minutes >= 0),
  target_minutes integer NOT NULL CHECK (target_minutes > 0),
  PRIMARY KEY (enrollment_id, day)
);
CREATE INDEX alpha_days_student ON alpha_days (student_id, day DESC);
CREATE INDEX alpha_days_institution ON alpha_days (institution_id);

CREATE TABLE alpha_students (
  student_id text PRIMARY KEY REFERENCES users (id),
  institution_id text NOT NULL REFERENCES institutions (id),
  points integer NOT NULL DEFAULT 0 CHECK (points >= 0),
  points_earned bigint NOT NULL DEFAULT 0 CHECK (points_earned >= 0),
  points_deducted bigint NOT NULL DEFAULT 0 CHECK (points_deducted >= 0),
  last_number integer,
  streak_days integer NOT NULL DEFAULT 0 CHECK (streak_days >= 0),
  longest_streak_days integer NOT NULL DEFAULT 0 CHECK (longest_streak_days >= streak_days),
  last_met_day date,
  CHECK (points = points_earned - points_deducted),
  CHECK (last_number IS NOT NULL OR points_earned + points_deducted = 0),
  CHECK ((streak_days = 0) = (last_met_day IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX alpha_students_ranking ON alpha_students (institution_id, points DESC, student_id) WHERE points > 0;

CREATE TABLE alpha_points (
  id text PRIMARY KEY,
  institution_id text NOT NULL REFERENCES institutions (id),
  student_id text NOT NULL REFERENCES users (id),
  number integer NOT NULL CHECK (number > 0),
  points integer NOT NULL CHECK (points BETWEEN -100 AND 100 AND points <> 0),
  balance integer NOT NULL CHECK (balance >= 0),
  previous integer GENERATED ALWAYS AS (nullif(number, 1) - 1) STORED,
  balance_before integer GENERATED ALWAYS AS (balance - points) STORED,
  note text,
  ref text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CHECK (number > 1 OR balance_before = 0),
  UNIQUE (student_id, number, balance),
  CONSTRAINT alpha_points_chain FOREIGN KEY (student_id, previous, balance_before) REFERENCES alpha_points (student_id, number, balance)
);
CREATE UNIQUE INDEX alpha_points_ref ON alpha_points (institution_id, ref);
CREATE UNIQUE INDEX alpha_points_number ON alpha_points (student_id, number);
CREATE INDEX alpha_points_time ON alpha_points (student_id, created_at);
ALTER TABLE alpha_students ADD CONSTRAINT alpha_students_ledger FOREIGN KEY (student_id, last_number, points)
  REFERENCES alpha_points (student_id, number, balance) DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE alpha_badges (
  student_id text NOT NULL REFERENCES users (id),
  badge text NOT NULL CHECK (badge IN ('first_mastery', 'streak_7_days', 'points_100', 'points_1000', 'curriculum_complete')),
  institution_id text NOT NULL REFERENCES institutions (id),
  granted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (student_id, badge)
);
CREATE INDEX alpha_badges_institution ON alpha_badges (institution_id);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuseLoss({ curricula: 'true', alpha_enrollments: 'true', alpha_points: 'true' }));
    await runner.query(`
ALTER TABLE alpha_students DROP CONSTRAINT alpha_students_ledger;
DROP TABLE alpha_badges, alpha_points, alpha_students, alpha_days, alpha_progress, alpha_mastery, alpha_enrollments, curriculum_concepts, curricula;
`);
  }
}
