import type { InstitutionScope } from '../../db/database';
import { findStudent, type StudentRow } from '../../db/repositories/students/students';
import { notFound } from '../errors';

/** A student of the institution by internal id or login email, or `not_found`. */
export async function requireStudent(scope: InstitutionScope, idOrEmail: string): Promise<StudentRow> {
  const student = await findStudent(scope, idOrEmail);
  if (student === undefined) throw notFound('student');
  return student;
}
