import type { Client } from '@temporalio/client';
import { schedules, type ScheduleDefinition } from '../../workflows/contract';
import type { NamespacePart } from './namespaceParts';
import { catchupWindowMs, ensureSchedule } from './schedules';
import { ensureSearchAttribute, searchAttributeNames } from './searchAttributes';

const hourMs = 3_600_000;
/** How long all of its calls to Temporal may take, in ms. */
export const prepareDeadlineMs = 30_000;

/** The CLI of Temporal Cloud makes the search attributes of a namespace there; that of Temporal all others. */
const searchAttributeByHand = (namespace: string, name: string): string =>
  `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type Keyword (Temporal Cloud: tcld namespace search-attributes add --namespace ${namespace} --search-attribute ${name}=Keyword)`;

function scheduleByHand(namespace: string, taskQueue: string, { scheduleId, workflowType, calendar: { dayOfWeek, hour, minute } }: ScheduleDefinition): string {
  const calendar = JSON.stringify({ ...(dayOfWeek === undefined ? {} : { dayOfWeek: dayOfWeek.slice(0, 1) + dayOfWeek.slice(1).toLowerCase() }), hour: String(hour), minute: String(minute) });
  return `temporal schedule create --namespace ${namespace} --schedule-id ${scheduleId} --workflow-id ${scheduleId} --type ${workflowType} --task-queue ${taskQueue} --calendar '${calendar}' --overlap-policy Skip --catchup-window ${catchupWindowMs / hourMs}h`;
}

/**
 * Checks search attributes and Schedules of the namespace, and makes what is missing where Temporal lets it. Fails if Temporal
 * does not respond, or has no such namespace.
 */
export async function prepareNamespace(client: Client, taskQueue: string): Promise<NamespacePart[]> {
  const { namespace } = client.options;
  const parts: NamespacePart[] = [];
  for (const name of searchAttributeNames) {
    parts.push({ kind: 'search attribute', name, outcome: await ensureSearchAttribute(client, name), byHand: searchAttributeByHand(namespace, name) });
  }
  for (const scheduled of schedules) {
    parts.push({ kind: 'Schedule', name: scheduled.scheduleId, outcome: await ensureSchedule(client, scheduled, taskQueue), byHand: scheduleByHand(namespace, taskQueue, scheduled) });
  }
  return parts;
}

/** Whether a part is to be made, or brought up to date, by hand. */
export const isLacking = ({ outcome }: NamespacePart): boolean => outcome === 'missing' || outcome === 'outdated';
