import type { EnrollmentStatus } from '../../db/repositories/alpha/enrollments';
import { DomainError } from '../errors';

/**
 * The statuses that an enrollment can change to from each status (section Alpha Learning). It is completed only by
 * mastering every concept; completed and withdrawn are final.
 */
export const enrollmentTransitions: Record<EnrollmentStatus, readonly EnrollmentStatus[]> = {
  active: ['paused', 'withdrawn', 'completed'],
  paused: ['active', 'withdrawn'],
  completed: [],
  withdrawn: [],
};

/** Whether an enrollment changes from one status to another: false if unchanged, `conflict` if the table does not allow it. */
export function shouldTransition(from: EnrollmentStatus, to: EnrollmentStatus): boolean {
  if (from === to) return false;
  if (!enrollmentTransitions[from].includes(to)) throw new DomainError('conflict', `An enrollment that is ${from} cannot become ${to}.`);
  return true;
}

/** The statuses in which progress counts. */
const learningStatuses: ReadonlySet<EnrollmentStatus> = new Set(['active', 'completed']);

/** `conflict` for an enrollment that accepts no progress: a paused or withdrawn one. */
export function requireLearning({ status }: { status: EnrollmentStatus }): void {
  if (!learningStatuses.has(status)) throw new DomainError('conflict', `The enrollment is ${status}: only active and completed enrollments accept progress.`);
}
