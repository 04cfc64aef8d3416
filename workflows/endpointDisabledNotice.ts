import { setCurrentDetails } from '@temporalio/workflow';
import type { NoticeActivities } from '../activities/webhooks/disabledNotice';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { noticeActivities, showNoticeOutcome, type NoticeResult } from './endpointNotice';

/** Notifies the institution's admin by email that the service has disabled an endpoint; tried for three days. */
export async function endpointDisabledNotice(endpoint: WorkflowArguments['endpointDisabledNotice']): Promise<NoticeResult> {
  setCurrentDetails(`The email about disabled endpoint \`${endpoint.endpointId}\` is being sent to the institution's admin.`);
  const outcome = await noticeActivities<NoticeActivities>().sendDisabledNotice(endpoint);
  return showNoticeOutcome(outcome, 'The endpoint is no longer disabled, or the institution has no admin; no one was notified.');
}
