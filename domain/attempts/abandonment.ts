import type { AttemptEnd, AttemptedExamRow, AttemptRow } from '../../db/repositories/attempts/attempts';

/** Why an attempt is abandoned: its time ran out, or its exam was closed. */
export type AbandonReason = 'expired' | 'closed';

type Ending = Pick<AttemptRow, 'started_at' | 'expires_at'>;

function endOf({ expires_at: expiresAt }: Ending, { closed_at: closedAt }: Pick<AttemptedExamRow, 'closed_at'>, now: Date): { at: Date; reason: AbandonReason } {
  if (closedAt !== null && (expiresAt === null || closedAt < expiresAt)) return { at: closedAt, reason: 'closed' };
  return { at: expiresAt ?? now, reason: 'expired' };
}

/** How an attempt that is over ends: when its time ran out or its exam was closed, however late that is noted. */
export function abandonment(attempt: Ending, exam: Pick<AttemptedExamRow, 'closed_at'>, now: Date): Omit<AttemptEnd, 'status'> {
  const { at: over, reason } = endOf(attempt, exam, now);
  // The call that closes may have begun before the one that started the attempt, and come after it.
  const at = over < attempt.started_at ? attempt.started_at : over;
  return { at, event: { id: 'service:abandoned', type: 'attempt_abandoned', at, detail: { reason } } };
}
