import { hasNewerVersion, lockSubmission, type LockedSubmission } from '../../db/repositories/submissions/changes';
import type { Transaction } from '../context';
import { DomainError, requireFound } from '../errors';
import { requireTransition, type ReviewStatus } from './transitions';

/**
 * Locks a submission for a transition: it must be its student's newest version in this exam, and the table must allow the
 * transition; otherwise fails with `code`, with `not_found` for an unknown one. A newer version is committed either before,
 * and then found here, or after.
 */
export async function lockNewestSubmission(tx: Transaction, id: string, to: ReviewStatus, code: 'conflict' | 'void_failed'): Promise<LockedSubmission> {
  const submission = requireFound(await lockSubmission(tx, id), 'submission');
  // A separate statement after the lock, so that it sees what the previous holder committed.
  if (await hasNewerVersion(tx, submission)) throw new DomainError(code, 'The student has submitted a newer version; only the newest version can be changed.');
  requireTransition(submission.status, to, code);
  return submission;
}
