import { openSubmissionNotice } from '../../db/repositories/exams/notices';
import type { Transaction } from '../context';
import { examNoticeWorkflowId } from '../outbox/workflows';

/**
 * Starts the emails that request a resubmission: a notice of its exam, under the exam's next number, to the student and
 * their verified guardians. The caller has locked the exam's row, then the submission's.
 */
export async function requestResubmission(tx: Transaction, examId: string, submissionId: string): Promise<void> {
  const notice = await openSubmissionNotice(tx, examId, submissionId, tx.now);
  tx.startWorkflow('examNotification', examNoticeWorkflowId(examId, notice), { examId, institutionId: tx.institutionId, notice, submissionId });
}
