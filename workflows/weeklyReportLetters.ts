import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { ReportActivities } from '../activities/reports/reports';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { handleProgressQuery, emailRetryPolicy, newEmailBatchProgress, sendEmailBatch, sendBatchOptions, type EmailBatchProgress, type EmailBatchResult } from './emailBatch';

type ReportWeek = WorkflowArguments['weeklyReportLetters'];

const { endReportLetters } = proxyActivities<ReportActivities>({ startToCloseTimeout: '1 minute', retry: emailRetryPolicy });

/**
 * Sends the reports of one institution's week, one email to each guardian, until all are sent or three days have passed;
 * while the institution is suspended it waits.
 */
export async function weeklyReportLetters(week: ReportWeek, before?: EmailBatchProgress): Promise<EmailBatchResult<never>> {
  const progress = before ?? newEmailBatchProgress();
  handleProgressQuery(progress);
  const result = await sendEmailBatch<never>(
    {
      subject: `the week of ${week.week}`,
      sendDue: (withinMs) => proxyActivities<ReportActivities>(sendBatchOptions(withinMs)).tellGuardians(week, Date.now()),
      end: (reason) => endReportLetters(week, Date.now(), reason),
      endings: {},
    },
    progress,
  );
  return result ?? continueAsNew<typeof weeklyReportLetters>(week, progress);
}
