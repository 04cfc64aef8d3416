import { proxyActivities, setCurrentDetails, type ActivityInterfaceFor } from '@temporalio/workflow';
import { setOutcome } from './setOutcome';
import { onEmailsQueue } from './taskQueues';

/** What became of the email of a notice. */
type NoticeOutcome = 'sent' | 'refused' | 'nobody';

/** The outcome of a notice, shown as the workflow's result. */
export interface NoticeResult {
  outcome: NoticeOutcome;
}

/** Returns the activities of a notice to an institution's admin; an email is tried for three days. */
export const noticeActivities = <Activities>(): ActivityInterfaceFor<Activities> =>
  proxyActivities<Activities>({
    ...onEmailsQueue(),
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: '3 days',
    retry: { initialInterval: '5 seconds', maximumInterval: '1 hour' },
  });

/** Shows the outcome of a notice, and returns it as the workflow's result; `nobodyText` says why no one was to be notified. */
export function showNoticeOutcome(outcome: NoticeOutcome, nobodyText: string): NoticeResult {
  const texts: Record<NoticeOutcome, string> = {
    sent: "The institution's admin has been notified.",
    refused: "The mail server refused the email to the institution's admin; no one was notified.",
    nobody: nobodyText,
  };
  setCurrentDetails(texts[outcome]);
  setOutcome(outcome);
  return { outcome };
}
