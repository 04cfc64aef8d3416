import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import type { ExamStatus } from '../exams/columns';

/** One run of the workflow that expires an exam's attempts: `<exam id>:attempts:<run>`. */
export interface ExpiryRun {
  examId: string;
  run: number;
}

const open = statement(
  'attempt_expiries_open',
  `INSERT INTO attempt_expiries (exam_id, institution_id, run, open, next_at) VALUES ($2, $1, 1, true, $3)
   ON CONFLICT (exam_id) DO UPDATE SET run = attempt_expiries.run + 1, open = true, next_at = excluded.next_at 
      WHERE NOT attempt_expiries.open OR attempt_expiries.next_at < $4
   RETURNING run`,
);

/**
 * Opens the next run of an exam, due at `nextAt`; undefined if one is open, whose row is locked. A run that was due before
 * `deadSince` and has not checked counts as terminated by an operator.
 */
export async function openExpiryRun(scope: InstitutionScope, examId: string, nextAt: Date, deadSince: Date): Promise<number | undefined> {
  const [row] = await scope.sql<{ run: number }>(open, [scope.institutionId, examId, nextAt, deadSince]);
  return row?.run;
}

const moveEarlier = statement(
  'attempt_expiries_earlier',
  'UPDATE attempt_expiries SET next_at = $3 WHERE institution_id = $1 AND exam_id = $2 AND open AND next_at > $3 RETURNING run',
);

/** Makes the open run of an exam due at `nextAt`; undefined if it is due by then anyway. */
export async function moveExpiryRunEarlier(scope: InstitutionScope, examId: string, nextAt: Date): Promise<number | undefined> {
  const [row] = await scope.sql<{ run: number }>(moveEarlier, [scope.institutionId, examId, nextAt]);
  return row?.run;
}

const lockExamForShare = statement('attempt_expiries_hold_exam', 'SELECT status FROM exams WHERE institution_id = $1 AND id = $2 FOR SHARE');

/** Returns the status of an exam, locked until the transaction ends; undefined if there is no such exam. */
export async function lockExamStatusForShare(scope: InstitutionScope, examId: string): Promise<ExamStatus | undefined> {
  const [row] = await scope.sql<{ status: ExamStatus }>(lockExamForShare, [scope.institutionId, examId]);
  return row?.status;
}

// An attempt ends when its time runs out or its exam is closed, even if that is recorded later; never before it began,
// because a call that closes an exam may have an earlier `now` and yet commit later. Rows that another transaction locks are
// skipped and taken by the next run.
const abandon = (condition: string): string =>
  `WITH due AS (
     SELECT id FROM attempts WHERE institution_id = $1 AND exam_id = $2 AND status = 'in_progress' AND ${condition}
      ORDER BY expires_at, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
   ), abandoned AS (
     UPDATE attempts a SET status = 'abandoned', ended_at = greatest(a.started_at, least(a.expires_at, x.closed_at))
       FROM due JOIN exams x ON x.id = $2 WHERE a.id = due.id
     RETURNING a.id, a.institution_id, a.ended_at, a.expires_at <= coalesce(x.closed_at, 'infinity') AS expired
   )
   INSERT INTO attempt_events (attempt_id, id, institution_id, type, at, detail)
   SELECT id, 'service:abandoned', institution_id, 'attempt_abandoned', ended_at,
          jsonb_build_object('reason', CASE WHEN expired THEN 'expired' ELSE 'closed' END) FROM abandoned
   RETURNING attempt_id`;

const abandonDue = statement('attempts_abandon_due', abandon('expires_at <= $4'));
const abandonAll = statement('attempts_abandon_all', abandon('true'));

/**
 * Abandons at most `limit` attempts in progress of a locked exam and records it in their feeds: if the exam is closed, all;
 * otherwise those whose time has run out. Skips locked ones. Returns the number.
 */
export async function abandonAttempts(scope: InstitutionScope, examId: string, { of, now, limit }: { of: ExamStatus; now: Date; limit: number }): Promise<number> {
  const key = [scope.institutionId, examId, limit];
  return (await (of === 'closed' ? scope.sql(abandonAll, key) : scope.sql(abandonDue, [...key, now]))).length;
}

const lockRun = statement('attempt_expiries_lock', 'SELECT 1 FROM attempt_expiries WHERE institution_id = $1 AND exam_id = $2 AND run = $3 AND open FOR NO KEY UPDATE');

/** Whether this run is the exam's open run; if so, its row is locked. */
export async function lockExpiryRun(scope: InstitutionScope, { examId, run }: ExpiryRun): Promise<boolean> {
  return (await scope.sql(lockRun, [scope.institutionId, examId, run])).length > 0;
}

const plan = (nextAt: string): string =>
  `WITH waiting AS (
     SELECT count(*)::int AS attempts, min(${nextAt}) AS next_at FROM attempts
      WHERE institution_id = $1 AND exam_id = $2 AND status = 'in_progress' AND ${nextAt} IS NOT NULL
   )
   UPDATE attempt_expiries e SET open = w.next_at IS NOT NULL, next_at = w.next_at FROM waiting w
    WHERE e.institution_id = $1 AND e.exam_id = $2 RETURNING w.attempts, w.next_at`;

const planOpen = statement('attempt_expiries_plan', plan('expires_at'));
// Attempts still in progress at a closed exam were locked by another transaction: they are due now.
const planClosed = statement('attempt_expiries_plan_closed', plan('$3::timestamptz'));

/** What a run still waits for: the number of attempts in progress, and when the next one expires; null for none. */
export interface RemainingAttempts {
  attempts: number;
  next_at: Date | null;
}

/** Makes a locked run due when the next attempt expires, immediately for a closed exam; closes it if no attempt is left. */
export async function planExpiryRun(scope: InstitutionScope, examId: string, { of, now }: { of: ExamStatus; now: Date }): Promise<RemainingAttempts> {
  const key = [scope.institutionId, examId];
  const [row] = await (of === 'closed' ? scope.sql<RemainingAttempts>(planClosed, [...key, now]) : scope.sql<RemainingAttempts>(planOpen, key));
  if (row === undefined) throw new Error('A locked run has no row');
  return row;
}

const inProgress = statement('attempts_any_in_progress', "SELECT 1 FROM attempts WHERE institution_id = $1 AND exam_id = $2 AND status = 'in_progress' LIMIT 1");

/** Whether any attempt at the exam is in progress. */
export async function hasAttemptsInProgress(scope: InstitutionScope, examId: string): Promise<boolean> {
  return (await scope.sql(inProgress, [scope.institutionId, examId])).length > 0;
}

const move = statement(
  'attempts_move_expiries',
  `WITH moved AS (
     UPDATE attempts a
        SET expires_at = least(
              CASE WHEN x.time_limit_minutes IS NOT NULL THEN greatest(a.started_at + x.time_limit_minutes * interval '1 minute', $3) END,
              CASE WHEN x.due_date IS NOT NULL AND NOT x.allow_late_submission THEN greatest(x.due_date, $3) END)
       FROM exams x
      WHERE x.institution_id = $1 AND x.id = $2 AND a.exam_id = x.id AND a.status = 'in_progress' AND (a.expires_at IS NULL OR a.expires_at > $3)
     RETURNING a.expires_at
   )
   SELECT min(expires_at) AS next_at FROM moved`,
);

/**
 * Sets the expiry of a locked exam's attempts in progress by its time rules, `now` at the earliest, except for those that
 * are over. Returns the first expiry; null for none.
 */
export async function moveExpiries(scope: InstitutionScope, examId: string, now: Date): Promise<Date | null> {
  const [row] = await scope.sql<{ next_at: Date | null }>(move, [scope.institutionId, examId, now]);
  return row?.next_at ?? null;
}
