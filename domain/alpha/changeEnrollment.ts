import { lockEnrollment, writeEnrollmentStatus, type EnrollmentRow } from '../../db/repositories/alpha/enrollments';
import type { Transaction } from '../context';
import { requireFound } from '../errors';
import { shouldTransition } from '../transitions';
import { enrollmentTransitions } from './transitions';

/** The statuses that an integrator can set on an enrollment. */
export const writableStatuses = ['active', 'paused', 'withdrawn'] as const;

/**
 * Pauses, resumes or withdraws an enrollment (section Alpha Learning, PATCH /alpha/enrollments/{id}). No-op if
 * unchanged. `not_found`, and `conflict` for a transition that the table does not allow.
 */
export async function changeEnrollment(tx: Transaction, id: string, status: (typeof writableStatuses)[number]): Promise<EnrollmentRow> {
  const enrollment = requireFound(await lockEnrollment(tx, id), 'enrollment');
  const conflictMessage = `An enrollment that is ${enrollment.status} cannot become ${status}.`;
  return shouldTransition(enrollmentTransitions, enrollment.status, status, conflictMessage) ? writeEnrollmentStatus(tx, id, status, tx.now) : enrollment;
}
