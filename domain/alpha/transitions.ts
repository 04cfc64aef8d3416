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

/** The statuses in which progress counts. */
const learningStatuses: ReadonlySet<EnrollmentStatus> = new Set(['active', 'completed']);

/** `conflict` for an enrollment that accepts no progress: a paused or withdrawn one. */
export function requireLearning({ status }: { status: EnrollmentStatus }): void {
  if (!learningStatuses.has(status)) throw new DomainError('conflict', `The enrollment is ${status}: only active and completed enrollments accept progress.`);
}
