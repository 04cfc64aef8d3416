import type { DeveloperStatus } from '../../db/repositories/developers/developers';
import { DomainError } from '../errors';

/** What moves a developer: an invitation for their address, that invitation sent again or accepted, and what an admin does. */
export type DeveloperAction = 'invite' | 'resend' | 'accept' | 'suspend' | 'reactivate' | 'revoke';

/** Where each move leads from each status, or the code that refuses it; the same status again changes nothing but an invitation. */
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
  active: 'The developer has accepted their invitation already.',
  suspended: 'The developer has accepted their invitation already, and is suspended.',
  revoked: 'The developer has been revoked.',
};

/** The status that a move leads to; raises the code of the table where it leads nowhere. */
export function transition(move: DeveloperAction, status: DeveloperStatus): DeveloperStatus {
  const next = developerTransitions[move][status];
  if (next === 'conflict' || next === 'already_added') throw new DomainError(next, conflictMessages[status]);
  return next;
}
