import type { GuardianLinkRow } from '../../db/repositories/guardians/links';

/** The status of a link's invitation. */
export const guardianLinkStatuses = ['invited', 'accepted', 'expired', 'verified'] as const;
export type GuardianLinkStatus = (typeof guardianLinkStatuses)[number];

/** Returns the status of a link at `now`: verified is final, others expire from `expires_at` on. */
export function linkStatus({ verified_at, accepted_at, expires_at }: Pick<GuardianLinkRow, 'verified_at' | 'accepted_at' | 'expires_at'>, now: Date): GuardianLinkStatus {
  if (verified_at !== null) return 'verified';
  if (expires_at <= now) return 'expired';
  return accepted_at === null ? 'invited' : 'accepted';
}
