import { lockDeveloper } from '../../db/repositories/developers/developers';
import { lockFaculty } from '../../db/repositories/faculty/faculty';
import { lockGuardianLink } from '../../db/repositories/guardians/links';
import { deleteCodes } from '../../db/repositories/signIn/codes';
import { lockStudent } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { requireFound } from '../errors';

/** Lifts the lock of a student's account: wrong tries and codes are forgotten. Returns the student's id; `not_found`. */
export async function unlockStudent(tx: Transaction, idOrEmail: string): Promise<string> {
  const { id } = requireFound(await lockStudent(tx, idOrEmail), 'student');
  await deleteCodes(tx, id);
  return id;
}

/** Lifts the lock of a faculty member's account. Returns their id; `not_found`. */
export async function unlockFaculty(tx: Transaction, idOrEmail: string): Promise<string> {
  const { id } = requireFound(await lockFaculty(tx, idOrEmail), 'faculty member');
  await deleteCodes(tx, id);
  return id;
}

/** Lifts the lock of the guardian of a link, whose account is one for all their students. Returns the link's id; `not_found`. */
export async function unlockGuardian(tx: Transaction, linkId: string): Promise<string> {
  const { id, person_id } = requireFound(await lockGuardianLink(tx, linkId), 'guardian');
  await deleteCodes(tx, person_id);
  return id;
}

/** Lifts the lock of a developer's account. Returns their id; `not_found`. */
export async function unlockDeveloper(tx: Transaction, developerId: string): Promise<string> {
  const { id } = requireFound(await lockDeveloper(tx, developerId), 'developer');
  await deleteCodes(tx, id);
  return id;
}
