import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ExamNoticeActivities } from '../activities/exams/notify';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { handleProgressQuery, emailRetryPolicy, newEmailBatchProgress, sendEmailBatch, sendBatchOptions, type EmailBatchProgress, type EmailBatchResult } from './emailBatch';

type ExamNotice = WorkflowArguments['examNotification'];

const { gatherRecipients, endExamNotice } = proxyActivities<ExamNoticeActivities>({ startToCloseTimeout: '1 minute', retry: emailRetryPolicy });

/** Has all recipients written down; an activity answers `more` where its time did not suffice. */
async function gatherAllRecipients(notice: ExamNotice): Promise<EmailBatchProgress['counts']> {
  for (;;) {
    const { more, ...counts } = await gatherRecipients(notice, Date.now());
    if (more === undefined) return counts;
  }
}

/**
 * Tells the students and guardians whom a notice of an exam is for, one letter each, until all are told or three days
 * have passed. A closed or deleted exam ends it; while the institution is suspended it waits.
 */
export async function examNotification(notice: ExamNotice, before?: EmailBatchProgress): Promise<EmailBatchResult<'exam_inactive'>> {
  const progress = before ?? newEmailBatchProgress();
  handleProgressQuery(progress);
  setCurrentDetails(`Who is to be told of \`${notice.examId}\` is being gathered.`);
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
