import type { StudentRow } from '../../../db/repositories/students/students';
import { presentPersonLicense } from '../licenses/personLicense';
import type { StudentResponse } from './students.schemas';

/** A student (section Student); the personal email itself is never returned. */
export function presentStudent(row: StudentRow, now: Date): StudentResponse {
  return {
    id: row.id,
    email: row.login_email,
    login_email: row.login_email,
    user_type: 'institution_student',
    full_name: row.full_name,
    student_id: row.external_id,
    status: row.status,
    personal_email_mapped: row.personal_email_mapped,
    license: presentPersonLicense(row, now),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    erased_at: row.erased_at?.toISOString() ?? null,
  };
}
