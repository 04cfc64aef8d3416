import { lockEnrollment, writeEnrollmentStatus, type EnrollmentRow } from '../../db/repositories/alpha/enrollments';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { shouldTransition } from './transitions';

/** The states that an integrator brings an enrollment to. */
export const writableStatuses = ['active', 'paused', 'withdrawn'] as const;

/**
 * Pauses, resumes or withdraws an enrollment (section Alpha Learning, PATCH /alpha/enrollments/{id}); one that is there
 * already stays as it is. `not_found`, and `conflict` for a step that the table of states does not have.
 */
export async function changeEnrollment(tx: Transaction, id: string, status: (typeof writableStatuses)[number]): Promise<EnrollmentRow> {
  const enrollment = await lockEnrollment(tx, id);
  if (enrollment === undefined) throw notFound('enrollment');
  return shouldTransition(enrollment.status, status) ? writeEnrollmentStatus(tx, id, status, tx.now) : enrollment;
}
