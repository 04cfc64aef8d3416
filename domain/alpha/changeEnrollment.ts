import { lockEnrollment, writeEnrollmentStatus, type EnrollmentRow } from '../../db/repositories/alpha/enrollments';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { shouldTransition } from './transitions';

/** The statuses that an integrator can set on an enrollment. */
export const writableStatuses = ['active', 'paused', 'withdrawn'] as const;

/**
 * Pauses, resumes or withdraws an enrollment (section Alpha Learning, PATCH /alpha/enrollments/{id}). No-op if
 * unchanged. `not_found`, and `conflict` for a transition that the table does not allow.
 */
export async function changeEnrollment(tx: Transaction, id: string, status: (typeof writableStatuses)[number]): Promise<EnrollmentRow> {
  const enrollment = await lockEnrollment(tx, id);
  if (enrollment === undefined) throw notFound('enrollment');
  return shouldTransition(enrollment.status, status) ? writeEnrollmentStatus(tx, id, status, tx.now) : enrollment;
}
