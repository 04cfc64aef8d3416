import { hasAttempts, removeExam as removeRow, removeExamParts } from '../../db/repositories/exams/exams';
import { detachFilesFromExam } from '../../db/repositories/files/files';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { requireExclusivelyLockedExam } from './requireExam';

/**
 * Deletes an exam without attempts, with its assignments, notices, and those of its files that no other exam uses.
 * `conflict` once an attempt has started, `not_found` for an unknown exam (section Exam, DELETE).
 */
export async function removeExam(tx: Transaction, id: string): Promise<void> {
  await requireExclusivelyLockedExam(tx, id);
  if (await hasAttempts(tx, id)) throw new DomainError('conflict', 'Students have attempted this exam: close it instead.');
  await removeExamParts(tx, id);
  await detachFilesFromExam(tx, id, tx.now);
  await removeRow(tx, id);
}
