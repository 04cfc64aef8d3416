import type { UserStatus } from '../../db/entities/user';
import { endSessions, updatePerson } from '../../db/repositories/people/people';
import { lockStudent, type StudentRow } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { requireNotErased } from '../erasure/requireNotErased';
import { requireFound } from '../errors';
import { canTransition } from '../transitions';
import { updatedNow } from './updatedNow';
import { resolveStatus, studentTransitions, type WantedStatus } from './transitions';
import { studentLookup } from './requireStudent';

/**
 * Changes the status of a locked student; undefined if unchanged. A suspension ends their sessions in the same
 * transaction.
 */
export async function changeStatus(tx: Transaction, student: StudentRow, wanted: WantedStatus): Promise<UserStatus | undefined> {
  const status = resolveStatus(wanted, student);
  if (!canTransition(studentTransitions, student.status, status)) return undefined;
  await updatePerson(tx, student.id, { status }, tx.now);
  if (status === 'suspended') await endSessions(tx, student.id, tx.now);
  return status;
}

async function updateStatus(tx: Transaction, idOrEmail: string, wanted: WantedStatus): Promise<StudentRow> {
  const student = requireFound(await lockStudent(tx, idOrEmail), 'student', studentLookup);
  if (wanted === 'active') requireNotErased(student, 'student');
  const status = await changeStatus(tx, student, wanted);
  if (status === undefined) return student;
  tx.emit('student.updated', { student_id: student.id, changed: ['status'], status });
  return { ...student, status, updated_at: updatedNow(tx, student) };
}

/** Suspends a student and ends their sessions; the license stays. No-op, without an event, if already suspended. */
export function suspendStudent(tx: Transaction, idOrEmail: string): Promise<StudentRow> {
  return updateStatus(tx, idOrEmail, 'suspended');
}

/** Reactivates a suspended student; no-op, without an event, for any other status; `conflict` for erased students. */
export function reactivateStudent(tx: Transaction, idOrEmail: string): Promise<StudentRow> {
  return updateStatus(tx, idOrEmail, 'active');
}
