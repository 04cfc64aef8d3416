import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ExamNoticeActivities } from '../activities/exams/notify';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { handleProgressQuery, emailRetryPolicy, newEmailBatchProgress, sendEmailBatch, sendBatchOptions, type EmailBatchProgress, type EmailBatchResult } from './emailBatch';

type ExamNotice = WorkflowArguments['examNotification'];

const { gatherRecipients, endExamNotice } = proxyActivities<ExamNoticeActivities>({ startToCloseTimeout: '1 minute', retry: emailRetryPolicy });

/** Stores all recipients; an activity returns `more` if it ran out of time. */
async function gatherAllRecipients(notice: ExamNotice): Promise<EmailBatchProgress['counts']> {
  for (;;) {
    const { more, ...counts } = await gatherRecipients(notice, Date.now());
    if (more === undefined) return counts;
  }
}

/**
 * Emails a notice of an exam to its students and guardians, one email each, until all are handled or three days have
 * passed. A closed or deleted exam ends it; while the institution is suspended it waits.
 */
export async function examNotification(notice: ExamNotice, before?: EmailBatchProgress): Promise<EmailBatchResult<'exam_inactive'>> {
  const progress = before ?? newEmailBatchProgress();
  handleProgressQuery(progress);
  setCurrentDetails(`The recipients for \`${notice.examId}\` are being determined.`);
  if (before === undefined) progress.counts = await gatherAllRecipients(notice);
  const result = await sendEmailBatch(
    {
      subject: `\`${notice.examId}\``,
      sendDue: (withinMs) => proxyActivities<ExamNoticeActivities>(sendBatchOptions(withinMs)).tellRecipients(notice, Date.now()),
      end: (reason) => endExamNotice(notice, Date.now(), reason),
      endings: { exam_inactive: { text: 'ended: the exam was closed or deleted', reason: 'The exam was closed or deleted' } },
    },
    progress,
  );
  return result ?? continueAsNew<typeof examNotification>(notice, progress);
}
