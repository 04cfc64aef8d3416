import type { InstitutionStatus } from '../../db/entities/institution';
import { DomainError } from '../errors';
import { requireStatusApproved } from '../institutions/requireApproved';

/** Returns the 404 for an unknown token, or a token of a deleted link or developer. */
export const invitationNotFound = (): DomainError => new DomainError('not_found', 'No such invitation.');

/** The institution of an invitation. */
interface Inviting {
  institution_status: InstitutionStatus;
  institution_read_only_until: Date | null;
}

/**
 * Checks that an invitation may be accepted: `institution_not_approved` unless its institution is approved and does not leave, `conflict`
 * if it is not the newest.
 */
export function requireNewestInvitation({ institution_status: status, institution_read_only_until: readOnlyUntil }: Inviting, { invited, newest }: { invited: number; newest: number }): void {
  requireStatusApproved(status);
  if (readOnlyUntil !== null) throw new DomainError('institution_not_approved', 'The institution leaves the service, so that nobody joins it any more.');
  if (invited !== newest) throw new DomainError('conflict', 'This invitation was replaced by a newer one; use the link in the newest email.');
}
