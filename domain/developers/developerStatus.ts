import type { DeveloperRow } from '../../db/repositories/developers/developers';

/** A developer's status as shown: an expired invitation is `expired` and can be sent again. */
export const shownDeveloperStatuses = ['invited', 'expired', 'active', 'suspended', 'revoked'] as const;
export type ShownDeveloperStatus = (typeof shownDeveloperStatuses)[number];

/** Returns the status of a developer at `now`. */
export function developerStatusAt({ status, expires_at }: Pick<DeveloperRow, 'status' | 'expires_at'>, now: Date): ShownDeveloperStatus {
  return status === 'invited' && expires_at <= now ? 'expired' : status;
}
