import type { InstitutionStatus } from '../../db/entities/institution';
import { DomainError } from '../errors';
import { requireStatusApproved } from '../institutions/requireApproved';

/** We made no such token, or what it invites to is gone. */
export const invitationNotFound = (): DomainError => new DomainError('not_found', 'No such invitation.');

/** An invitation may be accepted: `institution_not_approved` while its institution is not, `conflict` where it is not the newest one. */
export function requireNewestInvitation(of: InstitutionStatus, { invited, newest }: { invited: number; newest: number }): void {
  requireStatusApproved(of);
  if (invited !== newest) throw new DomainError('conflict', 'A newer invitation has taken the place of this one.');
}
