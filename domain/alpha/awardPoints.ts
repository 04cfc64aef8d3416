import { findPointsByRef, pointsRefIndex, writePoints, type PointsRow } from '../../db/repositories/alpha/points';
import { lockAlphaStudent } from '../../db/repositories/alpha/students';
import { lockStudentForShare } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import { newId } from '../ids';
import { isUniqueViolation } from '../../db/uniqueViolation';
import { grantBadges } from './badges';

/** Points of one award at most, and taken by one at most. */
export const maxPoints = 100;

/** Points to be given, or taken where they are negative. */
export interface Award {
  points: number;
  note?: string | null | undefined;
  ref: string;
}

/** An entry of the ledger, and whether this request made it. */
export interface AwardResult {
  entry: PointsRow;
  applied: boolean;
}

const refConflict = (): DomainError => new DomainError('conflict', 'This ref was used by another award: a repeat has the same student, points and note.');

/** The entry that this very award made before, if it did; `conflict` for another one under its ref. */
async function findPreviousAward(tx: Transaction, studentId: string, { points, note = null, ref }: Award): Promise<PointsRow | undefined> {
  const earlier = await findPointsByRef(tx, ref);
  if (earlier === undefined) return undefined;
  if (earlier.student_id !== studentId || earlier.points !== points || earlier.note !== note) throw refConflict();
  return earlier;
}

async function write(tx: Transaction, studentId: string, { points, note = null, ref }: Award): Promise<PointsRow> {
  try {
    return await writePoints(tx, { id: newId('pts'), student_id: studentId, points, note, ref }, tx.now);
  } catch (error) {
    // Awards to one student come one after the other; the ref was used for another one at this very moment.
    throw isUniqueViolation(error, pointsRefIndex) ? refConflict() : error;
  }
}

/**
 * Gives points to a student, or takes some, once a ref (section Alpha Learning, POST /alpha/students/{id}/points). A
 * repeat is answered as the first time, whatever has happened since. Emits `alpha.points_awarded`, and grants badges.
 * `not_found` for the student; `conflict` for another award under the same ref, and where fewer points are there than
 * are to be taken; `user_inactive` for somebody suspended.
 */
export async function awardPoints(tx: Transaction, idOrEmail: string, award: Award): Promise<AwardResult> {
  const student = await lockStudentForShare(tx, idOrEmail);
  if (student === undefined) throw notFound('student');
  const alphaStudent = await lockAlphaStudent(tx, student.id);
  const earlier = await findPreviousAward(tx, student.id, award);
  if (earlier !== undefined) return { entry: earlier, applied: false };
  if (student.status === 'suspended') throw new DomainError('user_inactive', 'The student is suspended.');
  if (alphaStudent.points + award.points < 0) throw new DomainError('conflict', `The student has ${alphaStudent.points} points, fewer than are to be taken.`);
  const entry = await write(tx, student.id, award);
  const { points, balance, ref } = entry;
  tx.emit('alpha.points_awarded', { student_id: student.id, points, balance, ref });
  await grantBadges(tx, student.id, { points: balance });
  return { entry, applied: true };
}
