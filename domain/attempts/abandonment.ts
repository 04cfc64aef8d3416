import type { AttemptEnd, AttemptedExamRow, AttemptRow } from '../../db/repositories/attempts/attempts';

/** Why an attempt is abandoned: its time is over, or its exam was closed. */
export type AbandonReason = 'expired' | 'closed';

type AttemptTimes = Pick<AttemptRow, 'started_at' | 'expires_at'>;

function endAndReason({ expires_at: expiresAt }: AttemptTimes, { closed_at: closedAt }: Pick<AttemptedExamRow, 'closed_at'>, now: Date): { at: Date; reason: AbandonReason } {
  if (closedAt !== null && (expiresAt === null || closedAt < expiresAt)) return { at: closedAt, reason: 'closed' };
  return { at: expiresAt ?? now, reason: 'expired' };
}

/** Returns how an attempt ends: at its expiry or at the closing of its exam, even if that is recorded later. */
export function abandonment(attempt: AttemptTimes, exam: Pick<AttemptedExamRow, 'closed_at'>, now: Date): Omit<AttemptEnd, 'status'> {
  const { at: endedAt, reason } = endAndReason(attempt, exam, now);
  // The call that closes the exam may begin before the one that starts the attempt and commit after it.
  const at = endedAt < attempt.started_at ? attempt.started_at : endedAt;
  return { at, event: { id: 'service:abandoned', type: 'attempt_abandoned', at, detail: { reason } } };
}
