import { hasNewerVersion, lockSubmission, type LockedSubmission } from '../../db/repositories/submissions/changes';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import { requireTransition, type ReviewStatus } from './transitions';

/**
 * Locks a submission that is to be brought to a state: it must be its student's newest version in this exam, and the
 * table of states must have the step; `code` else, `not_found` for an unknown one. A next version is then handed in
 * before, which is seen here, or after.
 */
export async function lockNewestSubmission(tx: Transaction, id: string, to: ReviewStatus, code: 'conflict' | 'void_failed'): Promise<LockedSubmission> {
  const submission = await lockSubmission(tx, id);
  if (submission === undefined) throw notFound('submission');
  // A statement of its own, after the lock: whoever had it has ended, and what they wrote is seen.
  if (await hasNewerVersion(tx, submission)) throw new DomainError(code, 'The student has handed in a newer version: this one stays as it is.');
  requireTransition(submission.status, to, code);
  return submission;
}
