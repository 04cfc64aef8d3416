import { hasAttemptsInProgress } from '../../db/repositories/attempts/expiries';
import type { ExamStatus, ExamSummaryRow } from '../../db/repositories/exams/columns';
import { findCodeSpec, writeStatus, type ExamRow } from '../../db/repositories/exams/exams';
import { scheduleExpiry } from '../attempts/scheduleExpiry';
import type { Transaction } from '../context';
import { shouldTransition } from '../transitions';
import { announceAssignments } from './notices/announceAssignments';
import { requireLockedExam } from './requireExam';
import { requireCodeSecret } from './requireCodeSecret';
import { examTransitions } from './transitions';

/** Emits `exam.published` for an exam that has just been published. */
export function emitPublished(tx: Transaction, { id, faculty_id, app }: Pick<ExamSummaryRow, 'id' | 'faculty_id' | 'app'>): void {
  tx.emit('exam.published', { exam_id: id, faculty_id, app });
}

/** What to do in place of a refused change. */
const inPlace: Readonly<Record<ExamStatus, string>> = { draft: ': publish it first, or delete it', published: '', closed: ': create another exam' };

/** Changes the status of an exam and returns it; undefined if unchanged. */
async function transition(tx: Transaction, id: string, status: ExamStatus, timeField: 'published_at' | 'closed_at'): Promise<ExamRow | undefined> {
  const exam = await requireLockedExam(tx, id);
  if (!shouldTransition(examTransitions, exam.status, status, `A ${exam.status} exam cannot become ${status}${inPlace[exam.status]}.`)) return undefined;
  const changed = { ...exam, status, [timeField]: tx.now, updated_at: tx.now };
  await writeStatus(tx, changed);
  return changed;
}

/**
 * Publishes a draft: emits `exam.published`, then `exam.assigned` for each of its groups, and starts the emails. No-op for
 * a published exam; `conflict` for a closed one (section States, Exam) and for a draft with hidden tests and no code
 * secret.
 */
export async function publishExam(tx: Transaction, id: string): Promise<void> {
  const exam = await transition(tx, id, 'published', 'published_at');
  if (exam === undefined) return;
  requireCodeSecret(await findCodeSpec(tx, id), exam, 'publish');
  emitPublished(tx, exam);
  await announceAssignments(tx, id);
}

/**
 * Closes a published exam. No-op for a closed one; `conflict` for a draft (section States, Exam). After the commit nothing
 * can be started or submitted; the exam's expiry workflow abandons the attempts in progress.
 */
export async function closeExam(tx: Transaction, id: string): Promise<void> {
  const exam = await transition(tx, id, 'closed', 'closed_at');
  if (exam !== undefined && (await hasAttemptsInProgress(tx, id))) await scheduleExpiry(tx, id, tx.now);
}
