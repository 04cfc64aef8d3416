import { writeVoid } from '../../db/repositories/submissions/changes';
import type { Transaction } from '../context';
import { lockNewestSubmission } from './lockNewestSubmission';

/**
 * Voids a submitted or graded submission: it no longer counts, and the student may submit again while the exam accepts
 * submissions. Its grade is kept. `void_failed` for an older version, a voided one and one with a requested resubmission;
 * `not_found` for an unknown one (section Submissions, POST …/void).
 */
export async function voidSubmission(tx: Transaction, id: string, reason: string | null): Promise<void> {
  await lockNewestSubmission(tx, id, 'voided', 'void_failed');
  await writeVoid(tx, id, reason, tx.now);
}
