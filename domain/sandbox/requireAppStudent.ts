import type { InstitutionScope } from '../../db/database';
import { findStudentOfAttempt } from '../../db/repositories/attempts/attempts';
import type { StudentRow } from '../../db/repositories/students/students';
import { DomainError, requireFound, suspendedStudent } from '../errors';
import { requireStudent } from '../students/requireStudent';

/**
 * Returns a student who can use an app, by internal id or login email. `conflict` if the student has not signed in yet,
 * `user_inactive` if suspended: the sessions have ended.
 */
export async function requireAppStudent(scope: InstitutionScope, idOrEmail: string): Promise<StudentRow> {
  const student = await requireStudent(scope, idOrEmail);
  if (student.status === 'suspended') throw suspendedStudent();
  if (student.first_signed_in_at === null) throw new DomainError('conflict', 'The student has not signed in yet; call POST /v1/sandbox/students/{id}/sign-in first.');
  return student;
}

/** Returns the id of the student of an attempt; `not_found` for an unknown attempt, errors of {@link requireAppStudent}. */
export async function requireStudentOfAttempt(scope: InstitutionScope, attemptId: string): Promise<string> {
  const studentId = requireFound(await findStudentOfAttempt(scope, attemptId), 'attempt');
  return (await requireAppStudent(scope, studentId)).id;
}
