import { numberNewAssignments } from '../../../db/repositories/exams/notices';
import type { Transaction } from '../../context';
import { examNoticeWorkflowId } from '../../outbox/workflows';

/**
 * Announces the assignments of a published exam that were not announced yet: they get the exam's next notice number, each
 * emits `exam.assigned` with the members that its group has now, and the letters of this notice are owed. Nothing where
 * there is no new assignment, nor of an exam that is not published: a draft's wait for its publication. The caller has locked
 * the exam's row (section Events).
 */
export async function announceAssignments(tx: Transaction, examId: string): Promise<void> {
  const announced = await numberNewAssignments(tx, examId, tx.now);
  for (const { group_id, student_count } of announced) tx.emit('exam.assigned', { exam_id: examId, group_id, student_count });
  const [first] = announced;
  if (first === undefined) return;
  const { notice } = first;
  tx.startWorkflow('examNotification', examNoticeWorkflowId(examId, notice), { examId, institutionId: tx.institutionId, notice });
}
