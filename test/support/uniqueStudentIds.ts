import type { ApiResponse } from './api';
import type { ApiFixture } from './apiFixture';

/** Turns the setting of the fixture's institution on or off. */
export const setUniqueStudentIds = ({ call }: Pick<ApiFixture, 'call'>, unique_student_ids: boolean): Promise<ApiResponse> => call('PUT', '/institution/config', { unique_student_ids });

/** The parts of a student that a conflict names. */
export const existing = ({ id, login_email }: { id: string; login_email: string }) => ({ id, login_email });

/** The error of a second student with the same `student_id`. */
export const takenBy = (student: { id: string; login_email: string }) => ({
  error: 'conflict',
  message: `student_id is already used by ${student.login_email} (${student.id}) in this institution.`,
  existing: existing(student),
});
