import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import type { CodeSpec, ExamApp, ExamStatus } from '../exams/columns';
import { canSeeExam, type AttemptStatus, type SubmissionStatus } from '../exams/studentExams';

/** The fields of an exam that attempts depend on. */
export interface AttemptedExamRow {
  id: string;
  status: ExamStatus;
  app: ExamApp;
  due_date: Date | null;
  time_limit_minutes: number | null;
  allow_late_submission: boolean;
  closed_at: Date | null;
}

const examColumns = 'x.id, x.status, x.app, x.due_date, x.time_limit_minutes, x.allow_late_submission, x.closed_at';

const lockExamAndStudent = statement(
  'attempt_share_exam_with_student',
  `SELECT ${examColumns}, x.code_spec FROM exams x JOIN users s ON s.institution_id = x.institution_id
    WHERE x.institution_id = $1 AND x.id = $3 AND s.id = $2 FOR SHARE OF x FOR NO KEY UPDATE OF s`,
);

/**
 * Returns an exam that a student sees, locked for share: it is closed or changed before or after the transaction. The
 * student is locked, so that their attempts start one after the other.
 */
export async function lockVisibleExamForShare(scope: InstitutionScope, studentId: string, examId: string): Promise<(AttemptedExamRow & { code_spec: CodeSpec | null }) | undefined> {
  const [row] = await scope.sql<AttemptedExamRow & { code_spec: CodeSpec | null }>(lockExamAndStudent, [scope.institutionId, studentId, examId]);
  // A second statement, after the lock, so that an assignment removed in between is not seen.
  return row !== undefined && (await canSeeExam(scope, studentId, examId)) ? row : undefined;
}

const lockExamForShare = statement(
  'attempt_share_exam',
  `SELECT ${examColumns} FROM attempts a JOIN exams x ON x.id = a.exam_id
    WHERE a.institution_id = $1 AND a.id = $2 AND a.student_id = $3 FOR SHARE OF x`,
);

/** Returns the exam of a student's own attempt, locked like {@link lockVisibleExamForShare}. */
export async function lockExamOfAttemptForShare(scope: InstitutionScope, attemptId: string, studentId: string): Promise<AttemptedExamRow | undefined> {
  const [row] = await scope.sql<AttemptedExamRow>(lockExamForShare, [scope.institutionId, attemptId, studentId]);
  return row;
}

/** An attempt as its student's app sees it, with the fields that its rules use. */
export interface AttemptRow {
  id: string;
  exam_id: string;
  student_id: string;
  status: AttemptStatus;
  started_at: Date;
  expires_at: Date | null;
  hidden_released_at: Date | null;
  ended_at: Date | null;
}

const columns = 'a.id, a.exam_id, a.student_id, a.status, a.started_at, a.expires_at, a.hidden_released_at, a.ended_at';

const own = 'FROM attempts a WHERE a.institution_id = $1 AND a.id = $2 AND a.student_id = $3';
const find = statement('attempt_own', `SELECT ${columns} ${own}`);
const lock = statement('attempt_lock_own', `SELECT ${columns} ${own} FOR NO KEY UPDATE`);

/** A student's own attempt. */
export async function findOwnAttempt(scope: InstitutionScope, attemptId: string, studentId: string): Promise<AttemptRow | undefined> {
  const [row] = await scope.sql<AttemptRow>(find, [scope.institutionId, attemptId, studentId]);
  return row;
}

/** The same, locked. */
export async function lockOwnAttempt(scope: InstitutionScope, attemptId: string, studentId: string): Promise<AttemptRow | undefined> {
  const [row] = await scope.sql<AttemptRow>(lock, [scope.institutionId, attemptId, studentId]);
  return row;
}

const studentOf = statement('attempt_student', 'SELECT student_id FROM attempts WHERE institution_id = $1 AND id = $2');

/** Returns the id of the student who made an attempt. */
export async function findStudentOfAttempt(scope: InstitutionScope, attemptId: string): Promise<string | undefined> {
  const [row] = await scope.sql<{ student_id: string }>(studentOf, [scope.institutionId, attemptId]);
  return row?.student_id;
}

/** The state of the newest version of a student's submission of an exam. */
interface NewestVersionRow {
  submission_status: SubmissionStatus;
  submission_graded_at: Date | null;
  submission_voided_at: Date | null;
}

/** An attempt with the state of the newest version of its student's submission of the exam; nulls where there is none. */
export type LatestAttemptRow = AttemptRow & (NewestVersionRow | Record<keyof NewestVersionRow, null>);

const latest = statement(
  'attempt_lock_latest_alone',
  `SELECT ${columns} FROM attempts a WHERE a.institution_id = $1 AND a.exam_id = $2 AND a.student_id = $3
    ORDER BY a.started_at DESC, a.id DESC LIMIT 1 FOR NO KEY UPDATE`,
);
const newestVersion = statement(
  'attempt_newest_version',
  `SELECT v.status AS submission_status, v.graded_at AS submission_graded_at, v.voided_at AS submission_voided_at FROM submissions v
    WHERE v.institution_id = $1 AND v.exam_id = $2 AND v.student_id = $3 ORDER BY v.version DESC LIMIT 1`,
);

/** Locks and returns a locked student's latest attempt at an exam, with the newest submission. */
export async function lockLatestAttempt(scope: InstitutionScope, examId: string, studentId: string): Promise<LatestAttemptRow | undefined> {
  const of = [scope.institutionId, examId, studentId];
  const [attempt] = await scope.sql<AttemptRow>(latest, of);
  if (attempt === undefined) return undefined;
  // In a statement of its own, after the lock: who held the attempt may have submitted it, and that version is seen.
  const [version] = await scope.sql<NewestVersionRow>(newestVersion, of);
  return { ...attempt, ...(version ?? { submission_status: null, submission_graded_at: null, submission_voided_at: null }) };
}

const insert = statement(
  'attempt_insert',
  `WITH begun AS (
     INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, expires_at) VALUES ($2, $1, $3, $4, 'in_progress', $5, $6)
     RETURNING id, institution_id, started_at
   )
   INSERT INTO attempt_events (attempt_id, id, institution_id, type, at)
   SELECT id, 'service:started', institution_id, 'attempt_started', started_at FROM begun`,
);

/** Inserts a new attempt, and the first row of its feed. */
export async function insertAttempt(scope: InstitutionScope, attempt: AttemptRow): Promise<void> {
  await scope.sql(insert, [scope.institutionId, attempt.id, attempt.exam_id, attempt.student_id, attempt.started_at, attempt.expires_at]);
}

const resume = statement(
  'attempt_resume',
  `WITH resumed AS (UPDATE attempts SET resumes = resumes + 1 WHERE institution_id = $1 AND id = $2 AND resumes < $4 RETURNING id, institution_id, resumes)
   INSERT INTO attempt_events (attempt_id, id, institution_id, type, at)
   SELECT id, 'service:resumed:' || resumes, institution_id, 'attempt_resumed', $3 FROM resumed`,
);

/** Records in a locked attempt's feed that its app has resumed it, up to a maximum number of times. */
export async function recordResume(scope: InstitutionScope, attemptId: string, atMost: number, now: Date): Promise<void> {
  await scope.sql(resume, [scope.institutionId, attemptId, now, atMost]);
}

/** How an attempt ends, with the row of its feed. */
export interface AttemptEnd {
  status: Exclude<AttemptStatus, 'in_progress'>;
  at: Date;
  event: { id: string; type: 'submitted' | 'attempt_abandoned'; at: Date; detail: object };
}

const end = statement(
  'attempt_end',
  `WITH ended AS (
     UPDATE attempts SET status = $3, ended_at = $4 WHERE institution_id = $1 AND id = $2 AND status = 'in_progress' RETURNING id, institution_id
   )
   INSERT INTO attempt_events (attempt_id, id, institution_id, type, at, detail)
   SELECT id, $5, institution_id, $6, $7, $8 FROM ended`,
);

/** Ends a locked attempt in progress. */
export async function endAttempt(scope: InstitutionScope, attemptId: string, { status, at, event }: AttemptEnd): Promise<void> {
  await scope.sql(end, [scope.institutionId, attemptId, status, at, event.id, event.type, event.at, event.detail]);
}
