import { UserEntity } from '../../db/entities/user';
import { findStudent, lockStudent, type StudentRow } from '../../db/repositories/students';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { mapEmail } from '../people/mapEmail';
import { changeStatus } from './changeStatus';
import type { WantedStatus } from './transitions';

/** The writable fields of a student (section Students, PATCH); those left out stay. */
export interface StudentChanges {
  full_name?: string | null | undefined;
  student_id?: string | null | undefined;
  status?: WantedStatus | undefined;
  personal_email?: string | undefined;
}

/**
 * Changes a student. Emits `student.updated` with the fields that really changed, and `student.email_mapped` for
 * a new personal email; a change that changes nothing emits nothing. `conflict` when the email is another's.
 */
export async function updateStudent(tx: Transaction, idOrEmail: string, changes: StudentChanges): Promise<StudentRow> {
  const student = await lockStudent(tx, idOrEmail);
  if (student === undefined) throw notFound('student');
  const fields = await changeFields(tx, student, changes);
  const status = changes.status && (await changeStatus(tx, student, changes.status));
  const changed = status === undefined ? fields : [...fields, 'status'];
  const mapped = changes.personal_email !== undefined && (await mapEmail(tx, student.id, changes.personal_email));
  if (changed.length === 0 && !mapped) return student;
  const after = await findStudent(tx, student.id);
  if (after === undefined) throw new Error('The student vanished under its lock');
  if (changed.length > 0) tx.emit('student.updated', { student_id: after.id, changed, status: after.status });
  if (mapped) tx.emit('student.email_mapped', { student_id: after.id });
  return after;
}

async function changeFields(tx: Transaction, student: StudentRow, { full_name, student_id }: StudentChanges): Promise<string[]> {
  const name = full_name !== undefined && full_name !== student.full_name;
  const external = student_id !== undefined && student_id !== student.external_id;
  if (!name && !external) return [];
  await tx.manager.update(
    UserEntity,
    { id: student.id, institutionId: tx.institutionId },
    { ...(name ? { fullName: full_name } : {}), ...(external ? { externalId: student_id } : {}), updatedAt: tx.now },
  );
  return [...(name ? ['full_name'] : []), ...(external ? ['student_id'] : [])];
}
