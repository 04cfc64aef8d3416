import { writeVoid } from '../../db/repositories/submissions/changes';
import type { Transaction } from '../context';
import { lockNewestSubmission } from './lockNewestSubmission';

/**
 * Voids a submitted or graded submission: it counts no more, and the student may submit again while the exam
 * takes submissions. What it was graded stays with it. `void_failed` for an older version, a voided one and one that is to be
 * made again; `not_found` for an unknown one (section Submissions, POST …/void).
 */
export async function voidSubmission(tx: Transaction, id: string, reason: string | null): Promise<void> {
  await lockNewestSubmission(tx, id, 'voided', 'void_failed');
  await writeVoid(tx, id, reason, tx.now);
}
