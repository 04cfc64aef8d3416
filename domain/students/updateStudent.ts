import { lockStudent, writeStudentFields, type StudentRow } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { requireNotErased } from '../erasure/requireNotErased';
import { requireFound } from '../errors';
import type { ChangedStudentField } from '../events/eventTypes';
import { replaceMailbox } from '../signIn/changeMailbox';
import { changeStatus } from './changeStatus';
import type { WantedStatus } from './transitions';
import { requireFreeStudentId } from './uniqueStudentIds';
import { updatedNow } from './updatedNow';
import { studentLookup } from './requireStudent';

/** The writable fields of a student (section Students, PATCH); absent fields stay unchanged. */
export interface StudentChanges {
  full_name?: string | null | undefined;
  student_id?: string | null | undefined;
  status?: WantedStatus | undefined;
  personal_email?: string | undefined;
}

/**
 * Changes a student. Emits `student.updated` with the fields that changed, and `student.email_mapped` for a new personal
 * email, which holds at once: where it replaces another one, their sessions end and the previous address is notified. No-op,
 * without events, if unchanged. `conflict` if another person has the email, or another student the `student_id` where it must be
 * unique, and for a student who was erased; `validation_error` for a login email.
 */
export async function updateStudent(tx: Transaction, idOrEmail: string, changes: StudentChanges): Promise<StudentRow> {
  const student = requireFound(await lockStudent(tx, idOrEmail), 'student', studentLookup);
  requireNotErased(student, 'student');
  const { after, fields } = await changeFields(tx, student, changes);
  const status = changes.status && (await changeStatus(tx, student, changes.status));
  const changed: ChangedStudentField[] = status === undefined ? fields : [...fields, 'status'];
  const mapped = changes.personal_email !== undefined && (await replaceMailbox(tx, student.id, { field: 'personal_email', email: changes.personal_email }, null));
  const updated_at = changed.length > 0 || mapped ? updatedNow(tx, student) : student.updated_at;
  const updated = { ...after, status: status ?? student.status, personal_email_mapped: student.personal_email_mapped || mapped, updated_at };
  if (changed.length > 0) tx.emit('student.updated', { student_id: student.id, changed, status: updated.status });
  if (mapped) tx.emit('student.email_mapped', { student_id: student.id });
  return updated;
}

/** Writes the fields that differ; returns the changed student and the names of those fields. */
async function changeFields(
  tx: Transaction,
  student: StudentRow,
  { full_name = student.full_name, student_id = student.external_id }: StudentChanges,
): Promise<{ after: StudentRow; fields: ChangedStudentField[] }> {
  const after = { ...student, full_name, external_id: student_id };
  const fields: ChangedStudentField[] = [...(full_name === student.full_name ? [] : ['full_name' as const]), ...(student_id === student.external_id ? [] : ['student_id' as const])];
  if (student_id !== student.external_id) await requireFreeStudentId(tx, student_id);
  if (fields.length > 0) await writeStudentFields(tx, after, tx.now);
  return { after, fields };
}
