import { UserEntity, type UserStatus } from '../../db/entities/user';
import { endSessions } from '../../db/repositories/people';
import { lockStudent, type StudentRow } from '../../db/repositories/students';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { afterReactivation, mayTurn } from './transitions';

/** Writes a student's new status; a suspension ends their sessions in the same transaction. */
export async function writeStatus(tx: Transaction, student: StudentRow, status: UserStatus): Promise<StudentRow> {
  await tx.manager.update(UserEntity, { id: student.id, institutionId: tx.institutionId }, { status, updatedAt: tx.now });
  if (status === 'suspended') await endSessions(tx, student.id, tx.now);
  return { ...student, status };
}

async function change(tx: Transaction, idOrEmail: string, target: (student: StudentRow) => UserStatus): Promise<StudentRow> {
  const student = await lockStudent(tx, idOrEmail);
  if (student === undefined) throw notFound('student');
  const status = target(student);
  if (!mayTurn(student.status, status)) return student;
  tx.emit('student.updated', { student_id: student.id, changed: ['status'], status });
  return writeStatus(tx, student, status);
}

/** Suspends a student: sessions end at once, the license stays. A suspended one is answered unchanged, without an event. */
export function suspendStudent(tx: Transaction, idOrEmail: string): Promise<StudentRow> {
  return change(tx, idOrEmail, () => 'suspended');
}

/** Reactivates a suspended student; anyone else is answered unchanged, without an event. */
export function reactivateStudent(tx: Transaction, idOrEmail: string): Promise<StudentRow> {
  return change(tx, idOrEmail, (student) => (student.status === 'suspended' ? afterReactivation(student.first_signed_in_at) : student.status));
}
