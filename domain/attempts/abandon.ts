import type { AttemptEnd, AttemptRow } from '../../db/repositories/examAttempts';

/** Why an attempt is abandoned: its time ran out, or its exam was closed. */
export type AbandonReason = 'expired' | 'closed';

/** How an attempt whose time ran out ends: at the moment it did, however late that is noted. */
export function abandonment({ expires_at: expiresAt }: Pick<AttemptRow, 'expires_at'>, now: Date): Omit<AttemptEnd, 'status'> {
  const at = expiresAt ?? now;
  return { at, event: { id: 'service:abandoned', type: 'attempt_abandoned', at, detail: { reason: 'expired' satisfies AbandonReason } } };
}
