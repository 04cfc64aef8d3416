import { setCurrentDetails } from '@temporalio/workflow';
import type { HealthNoticeActivities } from '../activities/webhooks/healthNotice';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { noticeActivities, showNoticeOutcome, type NoticeResult } from './endpointNotice';

/** Notifies the institution's admin by email that an endpoint will be disabled if it goes on failing, or that it has recovered; tried for three days. */
export async function endpointHealthNotice(notice: WorkflowArguments['endpointHealthNotice']): Promise<NoticeResult> {
  const { kind, endpointId } = notice;
  setCurrentDetails(`The email about the ${kind} endpoint \`${endpointId}\` is being sent to the institution's admin.`);
  const outcome = await noticeActivities<HealthNoticeActivities>().sendHealthNotice(notice, Date.now());
  return showNoticeOutcome(outcome, 'The notice is out of date, or the institution has no admin; no one was notified.');
}
