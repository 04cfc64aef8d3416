import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import type { GuardianLinkRow, GuardianType } from './links';
import { nextItemAt } from '../reports/weekly';

/** A new link with its first invitation. */
export interface NewGuardianLink {
  id: string;
  studentId: string;
  personId: string;
  guardianType: GuardianType;
  guardianName: string | null;
  isPrimary: boolean;
  expiresAt: Date;
}

const insert = statement(
  'guardian_link_insert',
  `INSERT INTO guardian_links (id, institution_id, student_id, guardian_id, guardian_type, guardian_name, is_primary, invited_at, expires_at, created_at, updated_at)
   VALUES ($2, $1, $3, $4, $5, $6, $7, $9, $8, $9, $9)`,
);

/** Inserts a link; a student and a guardian have at most one. */
export async function insertGuardianLink(scope: InstitutionScope, link: NewGuardianLink, now: Date): Promise<void> {
  const { id, studentId, personId, guardianType, guardianName, isPrimary, expiresAt } = link;
  await scope.sql(insert, [scope.institutionId, id, studentId, personId, guardianType, guardianName, isPrimary, expiresAt, now]);
}

const clearPrimary = statement(
  'guardian_links_clear_primary',
  'UPDATE guardian_links SET is_primary = false, updated_at = $3 WHERE institution_id = $1 AND student_id = $2 AND is_primary',
);

/** Removes the primary mark of a locked student's guardian. */
export async function clearPrimaryGuardian(scope: InstitutionScope, studentId: string, now: Date): Promise<void> {
  await scope.sql(clearPrimary, [scope.institutionId, studentId, now]);
}

const reinvite = statement(
  'guardian_link_invite_anew',
  `UPDATE guardian_links SET invitation = invitation + 1, invited_at = $3, expires_at = $4, accepted_at = NULL, updated_at = $3
    WHERE institution_id = $1 AND id = $2`,
);

/** Gives a locked link its next invitation, not yet accepted. */
export async function writeNextInvitation(scope: InstitutionScope, id: string, expiresAt: Date, now: Date): Promise<void> {
  await scope.sql(reinvite, [scope.institutionId, id, now, expiresAt]);
}

const accept = statement('guardian_link_accept', 'UPDATE guardian_links SET accepted_at = $3, updated_at = $3 WHERE institution_id = $1 AND id = $2');

/** Records that the invitation of a locked link has been accepted. */
export async function writeAcceptance(scope: InstitutionScope, id: string, now: Date): Promise<void> {
  await scope.sql(accept, [scope.institutionId, id, now]);
}

const toVerify = 'institution_id = $1 AND guardian_id = $2 AND verified_at IS NULL AND accepted_at IS NOT NULL AND expires_at > $3';
const anyToVerify = statement('guardian_links_to_verify', `SELECT 1 FROM guardian_links WHERE ${toVerify} LIMIT 1`);

/** Whether a locked guardian has links that are accepted, not expired, and not verified yet. */
export async function hasLinksToVerify(scope: InstitutionScope, personId: string, now: Date): Promise<boolean> {
  return (await scope.sql(anyToVerify, [scope.institutionId, personId, now])).length > 0;
}

const verify = statement(
  'guardian_links_verify',
  `UPDATE guardian_links SET verified_at = next.at, updated_at = next.at FROM (SELECT ${nextItemAt('$3', '$1')} AS at) next
    WHERE institution_id = $1 AND id IN (SELECT id FROM guardian_links WHERE ${toVerify} ORDER BY accepted_at, id LIMIT 500)
   RETURNING id, student_id, guardian_type, invitation`,
);

/**
 * Verifies the accepted, unexpired links of a locked guardian, at most the 500 accepted first; returns them. Takes the
 * institution's lock, by which items of its weekly reports are dated.
 */
export function verifyAcceptedLinks(scope: InstitutionScope, personId: string, now: Date): Promise<Pick<GuardianLinkRow, 'id' | 'student_id' | 'guardian_type' | 'invitation'>[]> {
  return scope.sql(verify, [scope.institutionId, personId, now]);
}

const remove = statement('guardian_link_remove', 'DELETE FROM guardian_links WHERE institution_id = $1 AND id = $2');

/** Removes a locked link. */
export async function deleteGuardianLink(scope: InstitutionScope, id: string): Promise<void> {
  await scope.sql(remove, [scope.institutionId, id]);
}
