import type { FacultyStatus } from '../../db/repositories/faculty/faculty';

/** The statuses that a faculty member can change to from each status (section States, Faculty). */
export const facultyTransitions: Record<FacultyStatus, readonly FacultyStatus[]> = {
  active: ['suspended'],
  suspended: ['active'],
};
