import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { NoticeActivities } from '../activities/webhooks/disabledNotice';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { setOutcome } from './setOutcome';
import { onEmailsQueue } from './taskQueues';

const noticeActivities = () =>
  proxyActivities<NoticeActivities>({
    ...onEmailsQueue(),
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: '3 days',
    retry: { initialInterval: '5 seconds', maximumInterval: '1 hour' },
  });

const outcomeTexts: Record<Awaited<ReturnType<NoticeActivities['sendDisabledNotice']>>, string> = {
  sent: "The institution's admin has been notified.",
  refused: "The mail server refused the email to the institution's admin; no one was notified.",
  nobody: 'The endpoint is no longer disabled, or the institution has no admin; no one was notified.',
};

/** Notifies the institution's admin by email that the service has disabled an endpoint; tried for three days. */
export async function endpointDisabledNotice(endpoint: WorkflowArguments['endpointDisabledNotice']): Promise<void> {
  setCurrentDetails(`The email about disabled endpoint \`${endpoint.endpointId}\` is being sent to the institution's admin.`);
  const outcome = await noticeActivities().sendDisabledNotice(endpoint);
  setCurrentDetails(outcomeTexts[outcome]);
  setOutcome(outcome);
}
