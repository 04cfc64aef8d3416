import type { DeveloperStatus } from '../../db/repositories/developers/developers';
import { DomainError } from '../errors';

/** Actions that change a developer: inviting their address, resending or accepting the invitation, and what an admin does. */
export type DeveloperAction = 'invite' | 'resend' | 'accept' | 'suspend' | 'reactivate' | 'revoke';

/** The status that each action leads to from each status, or the error code; the same status is a no-op except for an invitation. */
export const developerTransitions = {
  invite: { invited: 'already_added', active: 'already_added', suspended: 'already_added', revoked: 'invited' },
  resend: { invited: 'invited', active: 'conflict', suspended: 'conflict', revoked: 'conflict' },
  accept: { invited: 'active', active: 'conflict', suspended: 'conflict', revoked: 'conflict' },
  suspend: { invited: 'conflict', active: 'suspended', suspended: 'suspended', revoked: 'conflict' },
  reactivate: { invited: 'conflict', active: 'active', suspended: 'active', revoked: 'conflict' },
  revoke: { invited: 'revoked', active: 'revoked', suspended: 'revoked', revoked: 'revoked' },
} as const satisfies Record<DeveloperAction, Record<DeveloperStatus, DeveloperStatus | 'conflict' | 'already_added'>>;

const conflictMessages: Record<DeveloperStatus, string> = {
  invited: 'The developer has not accepted their invitation yet.',
  active: 'The developer has already accepted their invitation.',
  suspended: 'The developer has already accepted their invitation and is suspended.',
  revoked: 'The developer has been revoked.',
};

/** Returns the status that an action leads to; fails with the table's error code if it is not allowed. */
export function transition(move: DeveloperAction, status: DeveloperStatus): DeveloperStatus {
  const next = developerTransitions[move][status];
  if (next === 'conflict' || next === 'already_added') throw new DomainError(next, conflictMessages[status]);
  return next;
}
