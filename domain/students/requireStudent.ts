import type { InstitutionScope } from '../../db/database';
import { findStudent, type StudentRow } from '../../db/repositories/students/students';
import { requireFound } from '../errors';

/** Returns a student of the institution by internal id or login email; `not_found`. */
export async function requireStudent(scope: InstitutionScope, idOrEmail: string): Promise<StudentRow> {
  const student = requireFound(await findStudent(scope, idOrEmail), 'student');
  return student;
}
