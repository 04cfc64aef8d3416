import type { InstitutionScope } from '../../db/database';
import { findStudent, type StudentRow } from '../../db/repositories/students/students';
import { requireFound } from '../errors';

/** Says what a student is found by, to those who send their own identifier. */
export const studentLookup = { hint: 'id is stu_… or a login email; GET /v1/students?student_id= finds it by your identifier.' } as const;

/** The same of a body's `student_id`, which many take for their own. */
export const studentFieldLookup = { hint: 'student_id takes stu_… or a login email here; GET /v1/students?student_id= finds both by your identifier.' } as const;

/** Returns a student of the institution by internal id or login email; `not_found`. */
export async function requireStudent(scope: InstitutionScope, idOrEmail: string): Promise<StudentRow> {
  const student = requireFound(await findStudent(scope, idOrEmail), 'student', studentLookup);
  return student;
}
