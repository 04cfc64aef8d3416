import { clearPrimaryGuardian, insertGuardianLink } from '../../db/repositories/guardians/linkChanges';
import { countLinksOfStudent, type GuardianLinkRow, type GuardianType } from '../../db/repositories/guardians/links';
import { upsertGuardian } from '../../db/repositories/guardians/people';
import { lockStudent } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { DomainError, requireFound, suspendedStudent } from '../errors';
import { newId } from '../ids';
import { requireNotLoginEmail } from '../people/requireNotLoginEmail';
import { sealOwnAddress } from '../people/ownAddress';
import { invitationExpiresAt, startInvitationWorkflow } from './invitation';
import { requireNewAddressAllowed } from '../quotas/newAddresses';
import { limitInvitationEmails } from './limitInvitationEmails';
import { requireLink } from './requireLink';
import { studentFieldLookup } from '../students/requireStudent';

/** Maximum number of guardians of a student. */
export const maxGuardians = 20;

/** The fields of a new guardian (section Guardians, POST). */
export interface NewGuardianLink {
  /** Internal id or login email. */
  student_id: string;
  guardian_email: string;
  guardian_type: GuardianType;
  guardian_name?: string | null | undefined;
  is_primary?: boolean | undefined;
}

/**
 * Links a guardian to a student and invites them; emits `guardian.invited`. A primary guardian replaces the previous one.
 * `not_found` for the student; `user_inactive` if suspended; `already_added` if already linked; `conflict` if the student
 * has 20 guardians, after ten invitations to the address within a day, or beyond the institution's daily quota; `validation_error` if the address is a login
 * email of the institution.
 */
export async function inviteGuardian(tx: Transaction, guardian: NewGuardianLink): Promise<GuardianLinkRow> {
  // Before the student: what is wrong with the body is answered before what it names does not exist.
  await requireNotLoginEmail(tx, 'guardian_email', guardian.guardian_email);
  const student = requireFound(await lockStudent(tx, guardian.student_id), 'student', studentFieldLookup);
  tx.recordSubject({ student_id: student.id });
  requireActiveStudent(student.status);
  const address = await sealOwnAddress(tx, 'guardian', guardian.guardian_email, newId('usr'));
  const personId = await upsertGuardian(tx, { fullName: guardian.guardian_name ?? null, ...address }, tx.now);
  await requireLinkAllowed(tx, student.id, personId);
  await limitInvitationEmails(tx, guardian.guardian_email);
  if (guardian.is_primary === true) await clearPrimaryGuardian(tx, student.id, tx.now);
  const id = newId('gdn');
  const link = {
    id,
    studentId: student.id,
    personId,
    guardianType: guardian.guardian_type,
    guardianName: guardian.guardian_name ?? null,
    isPrimary: guardian.is_primary ?? false,
    expiresAt: invitationExpiresAt(tx.now),
  };
  await insertGuardianLink(tx, link, tx.now);
  tx.emit('guardian.invited', { guardian_id: id, student_id: student.id, guardian_type: guardian.guardian_type });
  startInvitationWorkflow(tx, { linkId: id, invitation: 1 });
  await requireNewAddressAllowed(tx);
  return requireLink(tx, id);
}

/** `user_inactive` for a suspended student. */
export function requireActiveStudent(status: GuardianLinkRow['student_status']): void {
  if (status === 'suspended') throw suspendedStudent();
}

async function requireLinkAllowed(tx: Transaction, studentId: string, personId: string): Promise<void> {
  const { links, linked } = await countLinksOfStudent(tx, studentId, personId);
  if (linked) throw new DomainError('already_added', 'This guardian is already linked to the student.');
  if (links >= maxGuardians) throw new DomainError('conflict', `A student can have at most ${maxGuardians} guardians.`);
}
