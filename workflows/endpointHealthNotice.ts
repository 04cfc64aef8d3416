import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { HealthNoticeActivities } from '../activities/webhooks/healthNotice';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { setOutcome } from './setOutcome';
import { onEmailsQueue } from './taskQueues';

const noticeActivities = () =>
  proxyActivities<HealthNoticeActivities>({
    ...onEmailsQueue(),
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: '3 days',
    retry: { initialInterval: '5 seconds', maximumInterval: '1 hour' },
  });

const outcomeTexts: Record<Awaited<ReturnType<HealthNoticeActivities['sendHealthNotice']>>, string> = {
  sent: "The institution's admin has been notified.",
  refused: "The mail server refused the email to the institution's admin; no one was notified.",
  nobody: 'The notice is out of date, or the institution has no admin; no one was notified.',
};

/** Notifies the institution's admin by email that an endpoint will be disabled if it goes on failing, or that it has recovered; tried for three days. */
export async function endpointHealthNotice(notice: WorkflowArguments['endpointHealthNotice']): Promise<void> {
  const { kind, endpointId } = notice;
  setCurrentDetails(`The email about the ${kind} endpoint \`${endpointId}\` is being sent to the institution's admin.`);
  const outcome = await noticeActivities().sendHealthNotice(notice, Date.now());
  setCurrentDetails(outcomeTexts[outcome]);
  setOutcome(outcome);
}
