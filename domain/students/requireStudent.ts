import type { InstitutionScope } from '../../db/database';
import { findStudent, type StudentRow } from '../../db/repositories/students/students';
import { requireFound } from '../errors';

/** Says what a student is found by, to those who send their own identifier. */
export const studentLookup = { hint: 'id is stu_… or a login email; GET /v1/students?student_id= finds it by your identifier.' } as const;

/** Returns a student of the institution by internal id or login email; `not_found`. */
export async function requireStudent(scope: InstitutionScope, idOrEmail: string): Promise<StudentRow> {
  const student = requireFound(await findStudent(scope, idOrEmail), 'student', studentLookup);
  return student;
}
