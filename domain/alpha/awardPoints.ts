import { findPointsByRef, pointsRefIndex, writePoints, type PointsRow } from '../../db/repositories/alpha/points';
import { lockAlphaStudent } from '../../db/repositories/alpha/students';
import { lockStudentForShare } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { DomainError, requireFound, suspendedStudent } from '../errors';
import { newId } from '../ids';
import { isUniqueViolation } from '../../db/uniqueViolation';
import { grantBadges } from './badges';

/** Maximum number of points that one award gives or deducts. */
export const maxPoints = 100;

/** An award of points; negative points are deducted. */
export interface Award {
  points: number;
  note?: string | null | undefined;
  ref: string;
}

/** A ledger entry, and whether this request created it. */
export interface AwardResult {
  entry: PointsRow;
  applied: boolean;
}

const refConflict = (): DomainError => new DomainError('conflict', 'ref is already used by another award; repeat it with the same student, points and note, or use a new ref.');

/** Returns the entry that an earlier request with this ref created, if any; `conflict` if its content differs. */
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
    // Awards to one student run one after the other, so the ref was used for another student at the same time.
    throw isUniqueViolation(error, pointsRefIndex) ? refConflict() : error;
  }
}

/**
 * Awards points to a student or deducts them, once per ref (section Alpha Learning, POST /alpha/students/{id}/points). A
 * repeated ref returns the entry of the first request. Emits `alpha.points_awarded` and grants badges. `not_found` for the
 * student; `conflict` for another award under the same ref and for a deduction of more points than the student has;
 * `user_inactive` for a suspended student.
 */
export async function awardPoints(tx: Transaction, idOrEmail: string, award: Award): Promise<AwardResult> {
  const student = requireFound(await lockStudentForShare(tx, idOrEmail), 'student');
  const alphaStudent = await lockAlphaStudent(tx, student.id);
  const earlier = await findPreviousAward(tx, student.id, award);
  if (earlier !== undefined) return { entry: earlier, applied: false };
  if (student.status === 'suspended') throw suspendedStudent();
  if (alphaStudent.points + award.points < 0) throw new DomainError('conflict', `The student has ${alphaStudent.points} points, fewer than the request deducts.`);
  const entry = await write(tx, student.id, award);
  const { points, balance, ref } = entry;
  tx.emit('alpha.points_awarded', { student_id: student.id, points, balance, ref });
  await grantBadges(tx, student.id, { points: balance });
  return { entry, applied: true };
}
