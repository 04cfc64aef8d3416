import { lockSubmission, readOutdated, type LockedSubmission } from '../../db/repositories/submissions/changes';
import type { Transaction } from '../context';
import { DomainError, requireFound } from '../errors';
import { requireTransition, type ReviewStatus } from './transitions';

/**
 * Locks a submission for a transition: it must be its student's newest version in this exam, the student not erased, and the table must allow the
 * transition; otherwise fails with `code`, with `not_found` for an unknown one. A newer version is committed either before,
 * and then found here, or after.
 */
export async function lockNewestSubmission(tx: Transaction, id: string, to: ReviewStatus, code: 'conflict' | 'void_failed'): Promise<LockedSubmission> {
  const submission = requireFound(await lockSubmission(tx, id), 'submission');
  tx.recordSubject({ student_id: submission.student_id });
  // A separate statement after the lock, so that it sees what the previous holder committed.
  const { is_superseded: isSuperseded, is_erased: isErased } = await readOutdated(tx, submission);
  if (isSuperseded) throw new DomainError(code, 'The student has submitted a newer version; only the newest version can be changed: the first of versions in GET /submissions/{id}.');
  // A text about a person who was erased would stay permanently: nobody is erased twice.
  if (isErased) throw new DomainError(code, 'The student was erased, which cannot be undone; their results stay as they are.');
  requireTransition(submission.status, to, code);
  return submission;
}
