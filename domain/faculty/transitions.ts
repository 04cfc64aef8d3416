import type { FacultyStatus } from '../../db/repositories/faculty/faculty';

/** The statuses that a faculty member can change to from each status (section States, Faculty). */
export const facultyTransitions: Record<FacultyStatus, readonly FacultyStatus[]> = {
  active: ['suspended'],
  suspended: ['active'],
};

/** Whether the table allows a change; an unchanged status is not a transition. */
export function canTransition(from: FacultyStatus, to: FacultyStatus): boolean {
  return facultyTransitions[from].includes(to);
}
