import { randomBytes } from 'node:crypto';
import { lockFaculty } from '../../db/repositories/faculty/faculty';
import { findErasure, findErasureOfLink, insertErasure, type ErasureKind, type ErasureRow } from '../../db/repositories/erasure/erasures';
import { listLinksOf, listOwnIds, listPresent, readLoginEmail, readPersonalColumns, type LinkOfPersonRow, type PersonalColumns } from '../../db/repositories/erasure/people';
import { deleteGuardianLink } from '../../db/repositories/guardians/linkChanges';
import { lockGuardianLinkToRemove } from '../../db/repositories/guardians/links';
import { removeUnlinkedGuardian } from '../../db/repositories/guardians/people';
import { endSessions, updatePerson } from '../../db/repositories/people/people';
import { lockStudent } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { DomainError, notFound, requireFound } from '../errors';
import type { ChangedStudentField } from '../events/eventTypes';
import { signalInvitationChanged } from '../guardians/invitation';
import { removeGuardian } from '../guardians/removeGuardian';
import { revokeLicense } from '../licenses/revokeLicense';
import { erasureWorkflowId } from '../outbox/workflows';
import { openEmail } from '../people/personalEmail';
import { studentLookup } from '../students/requireStudent';
import { sealSubject, type ErasureSubject } from './subject';

/** The number of a person's erasure: nobody is erased twice. */
const onlyErasure = 1;

/** What stands where a name was. */
const erasedNames = { student: 'Erased student', faculty: 'Erased faculty member' } as const;

/**
 * Erases a student: at once they are suspended and signed out, name, identifier and personal email are gone, the license is
 * revoked, and the links of their guardians are removed; a workflow erases the rest. Returns the erasure; that of a student who
 * was erased before is returned as it is.
 */
export async function eraseStudent(tx: Transaction, idOrEmail: string): Promise<ErasureRow> {
  const student = requireFound(await lockStudent(tx, idOrEmail), 'student', studentLookup);
  const earlier = await findErasure(tx, student.id);
  if (earlier !== undefined) return earlier;
  const subject = await readSubject(tx, student.id);
  const links = await listLinksOf(tx, 'student', student.id);
  for (const { id } of links) await removeGuardian(tx, id);
  const erasure = await erasePerson(tx, 'student', student.id, student.license_id, await withGuardians(tx, subject, links), { profile: 1, guardian_links: links.length });
  const changed: ChangedStudentField[] = ['full_name', 'login_email', ...(student.external_id === null ? [] : ['student_id' as const]), ...(student.status === 'suspended' ? [] : ['status' as const])];
  tx.emit('student.updated', { student_id: student.id, changed, status: 'suspended' });
  return erasure;
}

/** Erases a faculty member the same way; what they own stays theirs. `conflict` for the institution admin. */
export async function eraseFaculty(tx: Transaction, idOrEmail: string): Promise<ErasureRow> {
  const member = requireFound(await lockFaculty(tx, idOrEmail), 'faculty member');
  if (member.is_admin) throw new DomainError('conflict', 'The institution admin cannot be erased; ask the operators of the platform to transfer the role first.');
  const earlier = await findErasure(tx, member.id);
  if (earlier !== undefined) return earlier;
  return erasePerson(tx, 'faculty', member.id, member.license_id, await readSubject(tx, member.id), { profile: 1, guardian_links: 0 });
}

/** Erases the guardian of a link with all their links: the person is deleted at once. */
export async function eraseGuardian(tx: Transaction, linkId: string): Promise<ErasureRow> {
  const link = await lockGuardianLinkToRemove(tx, linkId);
  if (link === undefined) return requireFound(await findErasureOfLink(tx, linkId), 'guardian');
  const personId = link.person_id;
  const [links, columns, ids] = [await listLinksOf(tx, 'guardian', personId), await readPersonalColumns(tx, personId), await listOwnIds(tx, personId)];
  const subject: ErasureSubject = { ...personalSubject(tx, personId, columns), loginEmail: null, ids: [personId, ...ids] };
  for (const { id, invitation } of links) {
    await deleteGuardianLink(tx, id);
    signalInvitationChanged(tx, { linkId: id, invitation });
  }
  await removeUnlinkedGuardian(tx, personId);
  const linkIds = links.map(({ id }) => id);
  return startErasure(tx, 'guardian', personId, { ...await withGuardians(tx, subject, links), fullName: columns.full_name }, { profile: 1, guardian_links: links.length }, linkIds);
}

/** Returns the newest erasure of a person; `not_found`. */
export const requireErasure = async (scope: Parameters<typeof findErasure>[0], personId: string): Promise<ErasureRow> => {
  const erasure = requireFound(await findErasure(scope, personId), 'erasure', { hint: 'POST …/erase begins one.' });
  return erasure;
};

/** Returns the erasure of the guardian who had a link; `not_found`. */
export async function requireErasureOfLink(scope: Parameters<typeof findErasure>[0], linkId: string): Promise<ErasureRow> {
  const erasure = await findErasureOfLink(scope, linkId);
  if (erasure === undefined) throw notFound('erasure', { hint: 'POST …/erase begins one.' });
  return erasure;
}

/** What a person's columns say that identifies them. */
function personalSubject(tx: Transaction, personId: string, columns: PersonalColumns): Omit<ErasureSubject, 'loginEmail' | 'ids'> {
  const { institutionId, secrets } = tx;
  const { personal_email_sealed: sealed } = columns;
  return {
    fullName: columns.full_name,
    externalId: columns.external_id,
    addresses: sealed === null ? [] : [openEmail(secrets, { institutionId, userId: personId }, sealed)],
    // Department and position are those of others, too.
    texts: columns.profile === null ? [] : [columns.profile.employee_id ?? ''],
  };
}

async function readSubject(tx: Transaction, personId: string): Promise<ErasureSubject> {
  const [columns, { login_email: former, login_domain }, ids] = [await readPersonalColumns(tx, personId), await readLoginEmail(tx, personId), await listOwnIds(tx, personId)];
  const replacement = `erased.${randomBytes(4).toString('hex')}@${login_domain}`;
  return { ...personalSubject(tx, personId, columns), loginEmail: { former, replacement }, ids: [personId, ...ids] };
}

/** Adds the removed links, and the guardians who were deleted with their last one. */
async function withGuardians(tx: Transaction, subject: ErasureSubject, links: readonly LinkOfPersonRow[]): Promise<ErasureSubject> {
  const { institutionId, secrets } = tx;
  const present = await listPresent(tx, links.map(({ guardian_id }) => guardian_id));
  const gone = links.filter(({ guardian_id }) => !present.has(guardian_id));
  const names = [...links.map(({ guardian_name }) => guardian_name), ...gone.map(({ full_name }) => full_name)];
  return {
    ...subject,
    addresses: [...new Set([...subject.addresses, ...gone.map(({ guardian_id: userId, personal_email_sealed }) => openEmail(secrets, { institutionId, userId }, personal_email_sealed))])],
    texts: [...new Set([...subject.texts, ...names.filter((name) => name !== null)])],
    ids: [...new Set([...subject.ids, ...links.map(({ id }) => id), ...gone.map(({ guardian_id }) => guardian_id)])],
  };
}

type RemovedAtOnce = Record<'profile' | 'guardian_links', number>;

/** The login email is replaced by the workflow, so that the audit log still resolves the one of this call. */
async function erasePerson(tx: Transaction, kind: 'student' | 'faculty', id: string, licenseId: string, subject: ErasureSubject, removed: RemovedAtOnce): Promise<ErasureRow> {
  await endSessions(tx, id, tx.now);
  await revokeLicense(tx, licenseId, null);
  await updatePerson(tx, id, { fullName: erasedNames[kind], externalId: null, profile: null, personalEmailSealed: null, personalEmailHmac: null, status: 'suspended', erasedAt: tx.now }, tx.now);
  return startErasure(tx, kind, id, subject, removed, []);
}

async function startErasure(tx: Transaction, kind: ErasureKind, personId: string, subject: ErasureSubject, removed: RemovedAtOnce, linkIds: readonly string[]): Promise<ErasureRow> {
  const at = tx.now.toISOString();
  const entries = Object.entries(removed).map(([store, count]) => [store, { count, at }] as const);
  const number = onlyErasure;
  const subjectSealed = sealSubject(tx.secrets, { institutionId: tx.institutionId, personId, number }, subject);
  const erasure = await insertErasure(tx, { personId, number, kind, linkIds, removed: Object.fromEntries(entries), subjectSealed }, tx.now);
  tx.startWorkflow('personErasure', erasureWorkflowId(personId, number), { personId, institutionId: tx.institutionId, number });
  return erasure;
}
