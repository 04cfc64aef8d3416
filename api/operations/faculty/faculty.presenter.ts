import type { FacultyRow } from '../../../db/repositories/faculty/faculty';
import { presentPersonLicense } from '../licenses/personLicense';
import type { FacultyResponse } from './faculty.schemas';

/** A faculty member (section Faculty). */
export function presentFaculty(row: FacultyRow, now: Date): FacultyResponse {
  return {
    id: row.id,
    login_email: row.login_email,
    full_name: row.full_name,
    faculty_id: row.external_id,
    status: row.status,
    is_admin: row.is_admin,
    profile_completed: row.profile_completed,
    license: presentPersonLicense(row, now),
    erased_at: row.erased_at?.toISOString() ?? null,
  };
}
