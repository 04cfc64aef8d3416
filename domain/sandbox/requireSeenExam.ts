import { lockVisibleExamForShare } from '../../db/repositories/attempts/attempts';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { requireExam } from '../exams/requireExam';

/** Checks that a student sees an exam of the institution. `not_found`, which says why they do not and what to do: to an app it says no more than that there is none. */
export async function requireSeenExam(tx: Transaction, examId: string, studentId: string): Promise<void> {
  if ((await lockVisibleExamForShare(tx, studentId, examId)) !== undefined) return;
  const { status } = await requireExam(tx, examId);
  throw new DomainError(
    'not_found',
    status === 'draft'
      ? 'The student does not see this exam: it is a draft. Publish it with POST /v1/exams/{id}/publish.'
      : 'The student does not see this exam: assign it to a group of theirs with POST /v1/exams/{id}/assignments.',
  );
}
