import type { GuardianLinkRow } from '../../db/repositories/guardians/links';

/** What has become of a link's invitation. */
export const guardianLinkStatuses = ['invited', 'accepted', 'expired', 'verified'] as const;
export type GuardianLinkStatus = (typeof guardianLinkStatuses)[number];

/** The status of a link as of a moment: verified for ever, else expired from `expires_at` on. */
export function linkStatus({ verified_at, accepted_at, expires_at }: Pick<GuardianLinkRow, 'verified_at' | 'accepted_at' | 'expires_at'>, now: Date): GuardianLinkStatus {
  if (verified_at !== null) return 'verified';
  if (expires_at <= now) return 'expired';
  return accepted_at === null ? 'invited' : 'accepted';
}
