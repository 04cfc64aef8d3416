import { numberNewAssignments } from '../../../db/repositories/exams/notices';
import type { Transaction } from '../../context';
import { examNoticeWorkflowId } from '../../outbox/workflows';

/**
 * Announces the assignments of a published exam that are not announced yet: they get the exam's next notice number, each
 * emits `exam.assigned` with the current members of its group, and the notice's emails are started. No-op without new
 * assignments, and for a draft, whose assignments are announced on publication. The caller has locked the exam's row
 * (section Events).
 */
export async function announceAssignments(tx: Transaction, examId: string): Promise<void> {
  const announced = await numberNewAssignments(tx, examId, tx.now);
  for (const { group_id, student_count } of announced) tx.emit('exam.assigned', { exam_id: examId, group_id, student_count });
  const [first] = announced;
  if (first === undefined) return;
  const { notice } = first;
  tx.startWorkflow('examNotification', examNoticeWorkflowId(examId, notice), { examId, institutionId: tx.institutionId, notice });
}
