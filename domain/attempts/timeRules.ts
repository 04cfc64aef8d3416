import type { AttemptedExamRow, AttemptRow } from '../../db/repositories/attempts/attempts';
import { DomainError } from '../errors';

const minuteMs = 60_000;

type ExamTimeRules = Pick<AttemptedExamRow, 'due_date' | 'time_limit_minutes' | 'allow_late_submission'>;

/** When an attempt begun then is over: the earlier of start plus time limit and, where nothing may be late, the due date; null for never. */
export function attemptExpiresAt({ due_date: dueDate, time_limit_minutes: minutes, allow_late_submission: allowsLate }: ExamTimeRules, startedAt: Date): Date | null {
  const ends = [
    ...(minutes === null ? [] : [startedAt.getTime() + minutes * minuteMs]),
    ...(dueDate === null || allowsLate ? [] : [dueDate.getTime()]),
  ];
  return ends.length === 0 ? null : new Date(Math.min(...ends));
}

/** Whether what is submitted now comes after the due date. */
export const isLate = ({ due_date: dueDate }: Pick<ExamTimeRules, 'due_date'>, now: Date): boolean => dueDate !== null && now > dueDate;

/** Whether an attempt in progress has run out of time; it is over from that very millisecond on. */
export const hasExpired = ({ expires_at: expiresAt }: Pick<AttemptRow, 'expires_at'>, now: Date): boolean => expiresAt !== null && expiresAt <= now;

/** When an attempt ended, also where nobody has noted it yet; null while it is in progress. */
function attemptEndedAt(attempt: Pick<AttemptRow, 'status' | 'expires_at' | 'ended_at'>, now: Date): Date | null {
  return attempt.status === 'in_progress' && hasExpired(attempt, now) ? attempt.expires_at : attempt.ended_at;
}

/** `conflict` for an attempt that is over. */
export function requireInProgress(attempt: Pick<AttemptRow, 'status' | 'expires_at' | 'ended_at'>, now: Date): void {
  if (attemptEndedAt(attempt, now) !== null) throw new DomainError('conflict', 'The attempt is over.');
}

/** Why an exam takes nothing more: it is closed, or past its due date where nothing may be late; undefined while it does. */
export function examClosedReason(
  { status, due_date: dueDate, allow_late_submission: allowsLate }: Pick<AttemptedExamRow, 'status' | 'due_date' | 'allow_late_submission'>,
  now: Date,
): string | undefined {
  if (status === 'closed') return 'The exam is closed.';
  return !allowsLate && dueDate !== null && dueDate <= now ? 'The due date has passed, and this exam takes nothing late.' : undefined;
}

/** `conflict` for an exam that takes nothing more. */
export function requireExamOpen(exam: AttemptedExamRow, now: Date): void {
  const why = examClosedReason(exam, now);
  if (why !== undefined) throw new DomainError('conflict', why);
}

/** How long after its end an attempt takes what its app had no line to send, in ms. */
const graceAfterEndMs = 24 * 60 * minuteMs;

/** `conflict` for an attempt that ended over 24 hours ago. */
export function requireWithinGrace(attempt: Pick<AttemptRow, 'status' | 'expires_at' | 'ended_at'>, now: Date): void {
  const end = attemptEndedAt(attempt, now);
  if (end !== null && now.getTime() - end.getTime() > graceAfterEndMs) throw new DomainError('conflict', 'The attempt ended over 24 hours ago.');
}
