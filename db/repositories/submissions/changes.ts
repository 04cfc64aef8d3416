import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import type { SubmissionStatus } from '../exams/studentExams';

/** The fields of an exam that grading depends on. */
export interface GradedExam {
  id: string;
  faculty_id: string;
  max_score: number;
  late_penalty_percentage: number;
}

const examOf = `SELECT x.id, x.faculty_id, x.max_score::float8 AS max_score, x.late_penalty_percentage::float8 AS late_penalty_percentage
  FROM submissions s JOIN exams x ON x.id = s.exam_id WHERE s.institution_id = $1 AND s.id = $2`;

// A resubmission request increments the exam's notice number: it takes the stronger lock immediately, or two requests would
// deadlock.
const lockExamFor = {
  graded: statement('submission_exam_share', `${examOf} FOR SHARE OF x`),
  resubmission_required: statement('submission_exam_lock', `${examOf} FOR NO KEY UPDATE OF x`),
};

/** Returns the exam of a submission to be graded or resubmitted, locked: its max_score changes before or after. */
export async function lockExamToGrade(scope: InstitutionScope, submissionId: string, to: keyof typeof lockExamFor): Promise<GradedExam | undefined> {
  const [row] = await scope.sql<GradedExam>(lockExamFor[to], [scope.institutionId, submissionId]);
  return row;
}

/** A locked submission. */
export interface LockedSubmission {
  id: string;
  exam_id: string;
  student_id: string;
  version: number;
  status: SubmissionStatus;
  is_late: boolean;
}

const lock = statement(
  'submission_lock',
  'SELECT id, exam_id, student_id, version, status, is_late FROM submissions WHERE institution_id = $1 AND id = $2 FOR NO KEY UPDATE',
);

/** Locks a submission and reads it under the lock. */
export async function lockSubmission(scope: InstitutionScope, id: string): Promise<LockedSubmission | undefined> {
  const [row] = await scope.sql<LockedSubmission>(lock, [scope.institutionId, id]);
  return row;
}

/** What stands against a change of a locked submission. */
interface Outdated {
  /** Whether its student has submitted a later version. */
  is_superseded: boolean;
  /** Whether its student was erased. */
  is_erased: boolean;
}

const outdated = statement(
  'submission_outdated',
  `SELECT EXISTS (SELECT 1 FROM submissions v WHERE v.institution_id = $1 AND v.exam_id = $2 AND v.student_id = $3 AND v.version > $4) AS is_superseded,
          erased_at IS NOT NULL AS is_erased
     FROM users WHERE institution_id = $1 AND id = $3`,
);

/** Reads what stands against a change of a locked submission. An erasure that begins later waits for the transaction. */
export async function readOutdated(scope: InstitutionScope, { exam_id, student_id, version }: LockedSubmission): Promise<Outdated> {
  const [row] = await scope.sql<Outdated>(outdated, [scope.institutionId, exam_id, student_id, version]);
  if (row === undefined) throw new Error('The submission has no student');
  return row;
}

/** The columns of a grading. */
export interface WrittenGrade {
  status: 'graded' | 'resubmission_required';
  gradeValues: { score: number; max_score: number; percentage: number; late_penalty_percentage: number } | null;
  feedback: string | null;
  graded_by: string;
}

const grade = statement(
  'submission_grade',
  `UPDATE submissions SET status = $3, score = $4, max_score = $5, percentage = $6, late_penalty_percentage = $7, feedback = $8, graded_by = $9,
          graded_at = $10, updated_at = greatest(updated_at, $10)
    WHERE institution_id = $1 AND id = $2`,
);

/** Records a grade or a resubmission request for a locked submission. */
export async function writeGrade(scope: InstitutionScope, id: string, { status, gradeValues, feedback, graded_by }: WrittenGrade, now: Date): Promise<void> {
  const { score, max_score, percentage, late_penalty_percentage } = gradeValues ?? { score: null, max_score: null, percentage: null, late_penalty_percentage: null };
  await scope.sql(grade, [scope.institutionId, id, status, score, max_score, percentage, late_penalty_percentage, feedback, graded_by, now]);
}

const touch = statement(
  'submission_touch_of_attempt',
  'UPDATE submissions SET updated_at = greatest(updated_at, $3) WHERE institution_id = $1 AND attempt_id = $2',
);

/** Updates `updated_at` of the submission of a locked attempt, if there is one, after a change of its proctoring data. */
export async function touchSubmissionOfAttempt(scope: InstitutionScope, attemptId: string, now: Date): Promise<void> {
  await scope.sql(touch, [scope.institutionId, attemptId, now]);
}

const setVoided = statement(
  'submission_void',
  "UPDATE submissions SET status = 'voided', void_reason = $3, voided_at = $4, updated_at = greatest(updated_at, $4) WHERE institution_id = $1 AND id = $2",
);

/** Voids a locked submission. */
export async function writeVoid(scope: InstitutionScope, id: string, reason: string | null, now: Date): Promise<void> {
  await scope.sql(setVoided, [scope.institutionId, id, reason, now]);
}
