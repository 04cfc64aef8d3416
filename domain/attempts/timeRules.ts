import type { AttemptedExamRow, AttemptRow } from '../../db/repositories/attempts/attempts';
import { DomainError } from '../errors';

const minuteMs = 60_000;

type ExamTimeRules = Pick<AttemptedExamRow, 'due_date' | 'time_limit_minutes' | 'allow_late_submission'>;

/** Returns when an attempt started at `startedAt` expires: the earlier of start plus time limit and, if late submission is not allowed, the due date; null for never. */
export function attemptExpiresAt({ due_date: dueDate, time_limit_minutes: minutes, allow_late_submission: allowsLate }: ExamTimeRules, startedAt: Date): Date | null {
  const ends = [
    ...(minutes === null ? [] : [startedAt.getTime() + minutes * minuteMs]),
    ...(dueDate === null || allowsLate ? [] : [dueDate.getTime()]),
  ];
  return ends.length === 0 ? null : new Date(Math.min(...ends));
}

/** Whether a submission at `now` is after the due date. */
export const isLate = ({ due_date: dueDate }: Pick<ExamTimeRules, 'due_date'>, now: Date): boolean => dueDate !== null && now > dueDate;

/** Whether an attempt in progress has expired; it is over from that millisecond on. */
export const hasExpired = ({ expires_at: expiresAt }: Pick<AttemptRow, 'expires_at'>, now: Date): boolean => expiresAt !== null && expiresAt <= now;

/** Returns when an attempt ended, even if that is not recorded yet; null while it is in progress. */
function attemptEndedAt(attempt: Pick<AttemptRow, 'status' | 'expires_at' | 'ended_at'>, now: Date): Date | null {
  return attempt.status === 'in_progress' && hasExpired(attempt, now) ? attempt.expires_at : attempt.ended_at;
}

/** What allows another attempt after one that ended without a submission, for messages. */
export const afterUnsubmittedAttempt =
  'Another one begins only where an earlier submission of this exam is asked for again (a grade of -1) or voided; without one, create another exam for a group of this student.';

/** `conflict` for an attempt that is over. */
export function requireInProgress(attempt: Pick<AttemptRow, 'status' | 'expires_at' | 'ended_at'>, now: Date): void {
  if (attempt.status === 'submitted') {
    throw new DomainError('conflict', 'The attempt is over: it has been handed in. Another one begins once a resubmission is asked for (a grade of -1) or the submission is voided.');
  }
  if (attemptEndedAt(attempt, now) !== null) throw new DomainError('conflict', `The attempt ended before it was handed in. ${afterUnsubmittedAttempt}`);
}

/** Returns why an exam accepts no more submissions: it is closed, or past its due date with late submission not allowed; undefined while it does. */
export function examClosedReason(
  { status, due_date: dueDate, allow_late_submission: allowsLate }: Pick<AttemptedExamRow, 'status' | 'due_date' | 'allow_late_submission'>,
  now: Date,
): string | undefined {
  if (status === 'closed') return 'The exam is closed.';
  return !allowsLate && dueDate !== null && dueDate <= now ? 'The due date has passed, and this exam does not allow late submission.' : undefined;
}

/** `conflict` for an exam that accepts no more submissions. */
export function requireExamOpen(exam: AttemptedExamRow, now: Date): void {
  const why = examClosedReason(exam, now);
  if (why !== undefined) throw new DomainError('conflict', why);
}

/** How long after its end an attempt accepts events and recordings that its app could not send while offline, in ms. */
const graceAfterEndMs = 24 * 60 * minuteMs;

/** `conflict` for an attempt that ended over 24 hours ago. */
export function requireWithinGrace(attempt: Pick<AttemptRow, 'status' | 'expires_at' | 'ended_at'>, now: Date): void {
  const end = attemptEndedAt(attempt, now);
  if (end !== null && now.getTime() - end.getTime() > graceAfterEndMs) throw new DomainError('conflict', 'The attempt ended over 24 hours ago.');
}
