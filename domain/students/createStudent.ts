import { findStudent, type StudentRow } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { licenseDays } from '../licenses/limits';
import { emailTakenByExisting, rethrowEmailConflictAs } from '../people/personalEmail';
import { provisionPeople, type NewPerson } from '../people/provisionPeople';
import { requireNotLoginEmail } from '../people/requireNotLoginEmail';
import { requireFreeStudentId } from './uniqueStudentIds';

/** The fields of a new student (section Students, POST). */
export interface NewStudent {
  full_name?: string | null | undefined;
  student_id?: string | null | undefined;
  personal_email?: string | null | undefined;
  license_days?: number | undefined;
}

/** Converts the fields to the form that provisioning takes. */
export function toNewPerson(student: NewStudent): NewPerson {
  return {
    fullName: student.full_name ?? null,
    externalId: student.student_id ?? null,
    licenseDays: student.license_days ?? licenseDays.default,
    personalEmail: student.personal_email ?? null,
  };
}

/** Creates one `pending` student; `conflict` if the personal email is already mapped in the institution, or the `student_id` must be unique and is not; `validation_error` for a login email. */
export async function createStudent(tx: Transaction, student: NewStudent): Promise<StudentRow> {
  const person = toNewPerson(student);
  if (person.personalEmail !== null) await requireNotLoginEmail(tx, 'personal_email', person.personalEmail);
  await requireFreeStudentId(tx, person.externalId);
  const [created] = await provisionPeople(tx, 'student', [person]).catch(rethrowEmailConflictAs(emailTakenByExisting));
  const row = created && (await findStudent(tx, created.id));
  if (row === undefined) throw new Error('The new student was not written');
  return row;
}
