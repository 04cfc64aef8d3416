import type { FacultyStatus } from '../../db/repositories/faculty/faculty';

/** The states a faculty member may go to from each state (section States, Faculty). */
export const facultyTransitions: Record<FacultyStatus, readonly FacultyStatus[]> = {
  active: ['suspended'],
  suspended: ['active'],
};

/** Whether the state table has this step; staying where one is is no step. */
export function canTransition(from: FacultyStatus, to: FacultyStatus): boolean {
  return facultyTransitions[from].includes(to);
}
