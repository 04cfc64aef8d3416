import type { EnrollmentStatus } from '../../db/repositories/alpha/enrollments';
import { DomainError } from '../errors';

/**
 * The states an enrollment may go to from each state (section Alpha Learning). It is completed by mastering every
 * concept, and by nothing else; a completed one and a withdrawn one stay.
 */
export const enrollmentTransitions: Record<EnrollmentStatus, readonly EnrollmentStatus[]> = {
  active: ['paused', 'withdrawn', 'completed'],
  paused: ['active', 'withdrawn'],
  completed: [],
  withdrawn: [],
};

/** Whether an enrollment is to turn from one state to another: false when it is there already, `conflict` when the table has no such step. */
export function shouldTransition(from: EnrollmentStatus, to: EnrollmentStatus): boolean {
  if (from === to) return false;
  if (!enrollmentTransitions[from].includes(to)) throw new DomainError('conflict', `An enrollment that is ${from} cannot become ${to}.`);
  return true;
}

/** The states in which the app's progress counts. */
const learningStatuses: ReadonlySet<EnrollmentStatus> = new Set(['active', 'completed']);

/** `conflict` for an enrollment that takes no progress: a paused or withdrawn one. */
export function requireLearning({ status }: { status: EnrollmentStatus }): void {
  if (!learningStatuses.has(status)) throw new DomainError('conflict', `The enrollment is ${status}: it takes no progress.`);
}
