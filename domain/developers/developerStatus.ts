import type { DeveloperRow } from '../../db/repositories/developers/developers';

/** A developer's status as it is shown: an invitation that has run out is `expired`, and can be sent again. */
export const shownDeveloperStatuses = ['invited', 'expired', 'active', 'suspended', 'revoked'] as const;
export type ShownDeveloperStatus = (typeof shownDeveloperStatuses)[number];

/** The status of a developer as of a moment. */
export function developerStatusAt({ status, expires_at }: Pick<DeveloperRow, 'status' | 'expires_at'>, now: Date): ShownDeveloperStatus {
  return status === 'invited' && expires_at <= now ? 'expired' : status;
}
