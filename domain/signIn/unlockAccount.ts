import { lockFaculty } from '../../db/repositories/faculty/faculty';
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
