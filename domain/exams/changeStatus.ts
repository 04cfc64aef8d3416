import { hasAttemptsInProgress } from '../../db/repositories/attempts/expiries';
import type { ExamStatus, ExamSummaryRow } from '../../db/repositories/exams/columns';
import { findCodeSpec, writeStatus, type ExamRow } from '../../db/repositories/exams/exams';
import { scheduleExpiry } from '../attempts/scheduleExpiry';
import type { Transaction } from '../context';
import { announceAssignments } from './notices/announceAssignments';
import { requireLockedExam } from './requireExam';
import { requireCodeSecret } from './requireCodeSecret';
import { shouldTransition } from './transitions';

/** `exam.published` for an exam that has just been published. */
export function emitPublished(tx: Transaction, { id, faculty_id, app }: Pick<ExamSummaryRow, 'id' | 'faculty_id' | 'app'>): void {
  tx.emit('exam.published', { exam_id: id, faculty_id, app });
}

/** Brings an exam to a state and answers it; undefined when it is there already. */
async function transition(tx: Transaction, id: string, status: ExamStatus, moment: 'published_at' | 'closed_at'): Promise<ExamRow | undefined> {
  const exam = await requireLockedExam(tx, id);
  if (!shouldTransition(exam.status, status)) return undefined;
  const changed = { ...exam, status, [moment]: tx.now, updated_at: tx.now };
  await writeStatus(tx, changed);
  return changed;
}

/**
 * Publishes a draft: emits `exam.published`, then `exam.assigned` for each of its groups, and owes the letters. A
 * published one stays as it is, without an event; a closed one is a `conflict` (section States, Exam), and so is a draft
 * that has hidden tests and no code secret.
 */
export async function publishExam(tx: Transaction, id: string): Promise<void> {
  const exam = await transition(tx, id, 'published', 'published_at');
  if (exam === undefined) return;
  requireCodeSecret(await findCodeSpec(tx, id), exam, 'publish');
  emitPublished(tx, exam);
  await announceAssignments(tx, id);
}

/**
 * Closes a published exam; a closed one stays as it is, a draft is a `conflict` (section States, Exam). From the commit
 * on nothing is begun or submitted; the attempts in progress are abandoned by the workflow that waits for the exam's.
 */
export async function closeExam(tx: Transaction, id: string): Promise<void> {
  const exam = await transition(tx, id, 'closed', 'closed_at');
  if (exam !== undefined && (await hasAttemptsInProgress(tx, id))) await scheduleExpiry(tx, id, tx.now);
}
