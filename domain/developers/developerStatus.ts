import type { DeveloperRow, DeveloperStatus } from '../../db/repositories/developers/developers';

/** A developer's status as shown: an expired invitation is `expired` and can be sent again. */
export type ShownDeveloperStatus = DeveloperStatus | 'expired';

/** Returns the status of a developer at `now`. */
export function developerStatusAt({ status, expires_at }: Pick<DeveloperRow, 'status' | 'expires_at'>, now: Date): ShownDeveloperStatus {
  return status === 'invited' && expires_at <= now ? 'expired' : status;
}
