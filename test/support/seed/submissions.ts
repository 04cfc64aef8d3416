import { newId } from '../../../domain/ids';
import type { TestApi, TestInstitution } from '../api';

/** Columns of `attempts` that a test chooses. */
export interface AttemptFields {
  status: 'in_progress' | 'submitted' | 'abandoned';
  startedAt: Date;
  expiresAt: Date | null;
}

/** An attempt of a student, written as the app's would be; in progress unless it says otherwise. Returns its id. */
export async function seedExamAttempt(
  { api }: TestApi,
  { id: institutionId }: TestInstitution,
  { examId, studentId }: { examId: string; studentId: string },
  fields: Partial<AttemptFields> = {},
): Promise<string> {
  const { status, startedAt, expiresAt } = { status: 'in_progress' as const, startedAt: new Date(), expiresAt: null, ...fields };
  const id = newId('att');
  await api.domain.database.sql(
    `INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, expires_at, ended_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $5 <> 'in_progress' THEN $6::timestamptz END)`,
    [id, institutionId, examId, studentId, status, startedAt, expiresAt],
  );
  return id;
}

/** Columns of `submissions` that a test chooses. */
export interface SubmissionFields {
  version: number;
  status: 'submitted' | 'graded' | 'resubmission_required' | 'voided';
  score: number | null;
  percentage: number | null;
  isLate: boolean;
}

/** A submission from an attempt of its own; the first version, ungraded, unless it says otherwise. Returns its id. */
export async function seedSubmission(
  api: TestApi,
  institution: TestInstitution,
  { examId, studentId }: { examId: string; studentId: string },
  fields: Partial<SubmissionFields> = {},
): Promise<string> {
  const { version, status, score, percentage, isLate } = { version: 1, status: 'submitted' as const, score: null, percentage: null, isLate: false, ...fields };
  const attemptId = await seedExamAttempt(api, institution, { examId, studentId }, { status: 'submitted' });
  const id = newId('sub');
  await api.api.domain.database.sql(
    `INSERT INTO submissions (id, institution_id, exam_id, student_id, attempt_id, version, status, is_late, score, percentage, max_score,
            late_penalty_percentage, submitted_at, graded_at, voided_at, updated_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9::numeric, $10::numeric, CASE WHEN $9::numeric IS NOT NULL THEN max_score END,
            CASE WHEN $9::numeric IS NOT NULL THEN late_penalty_percentage END, now(), CASE WHEN $7 = 'graded' THEN now() END,
            CASE WHEN $7 = 'voided' THEN now() END, now()
       FROM exams WHERE id = $3`,
    [id, institution.id, examId, studentId, attemptId, version, status, isLate, score, percentage],
  );
  return id;
}
