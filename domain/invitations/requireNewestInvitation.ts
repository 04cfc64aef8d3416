import type { InstitutionStatus } from '../../db/entities/institution';
import { DomainError } from '../errors';
import { requireStatusApproved } from '../institutions/requireApproved';

/** Returns the 404 for an unknown token, or a token of a deleted link or developer. */
export const invitationNotFound = (): DomainError => new DomainError('not_found', 'No such invitation.');

/** Checks that an invitation may be accepted: `institution_not_approved` unless its institution is approved, `conflict` if it is not the newest. */
export function requireNewestInvitation(of: InstitutionStatus, { invited, newest }: { invited: number; newest: number }): void {
  requireStatusApproved(of);
  if (invited !== newest) throw new DomainError('conflict', 'This invitation was replaced by a newer one; use the link in the newest email.');
}
