import type { ApiContext, Terminal } from './context';
import { getField, getItems, getNumber, getString } from './fields';
import { answerIfAny } from './notes';
import { formatRecord, formatTable } from './tables';
import type { Webhooks } from './webhooks';

const columns = ['created_at', 'type', 'id'];

/** The range of a recovery, and the endpoint that it is for. */
export interface RecoveryRange {
  id: string;
  webhooks: Webhooks;
  since: string;
  until: string | undefined;
  eventTypes: readonly string[] | undefined;
}

/** Returns which events of a range an endpoint has no delivery of, by type; undefined if that cannot be read, as by a key. */
export async function readMissedEvents({ api }: ApiContext, { id, webhooks, since, until, eventTypes }: RecoveryRange): Promise<unknown> {
  if (webhooks.institutionId === undefined) return undefined;
  const query = { since, until, event_types: eventTypes?.join() };
  return answerIfAny(api.call('GET', `${webhooks.endpointPath(id)}/missed-events`, { query, asPlatform: true }));
}

/** Prints what a dry run of a recovery counted, with the oldest of these events. */
export function printMissedEvents(context: Terminal, accepted: unknown, missed: unknown): void {
  const listed = Object.fromEntries(['complete', 'types', 'not_subscribed', 'first'].map((name) => [name, getField(missed, name)]));
  context.print(Object.assign({}, accepted, listed), (shown) => {
    const first = getItems(shown, 'first');
    return `${formatRecord(shown, Object.keys(listed))}${first.length === 0 ? '' : formatTable(columns, first)}`;
  });
}

/** Returns event types with their numbers: "merits.credited 2, faculty.created 1". */
function typeCounts(missed: unknown, field: 'types' | 'not_subscribed'): string {
  const more = getField(missed, 'complete') === false ? ' or more' : '';
  return getItems(missed, field).map((item) => `${getString(item, 'type')} ${getNumber(item, 'count') ?? 0}${more}`).join(', ');
}

/** Says of a recovery which types it is for, how many events of each there are, and which events it leaves out because the endpoint does not subscribe to them. */
export function missedEventNotes({ timeZone }: Terminal, missed: unknown, { id, eventTypes = [] }: Pick<RecoveryRange, 'id' | 'eventTypes'>, isDryRun: boolean): string[] {
  const [counted, changedAt] = [getItems(missed, 'counted'), getField(missed, 'subscriptions_changed_at')];
  const [counts, others] = [typeCounts(missed, 'types'), typeCounts(missed, 'not_subscribed')];
  const addFirst = `the school adds them to events of the endpoint first, with its key and the whole list (PATCH /v1/webhooks/endpoints/${id}); then count again.`;
  if (Array.isArray(getField(missed, 'counted')) && counted.length === 0) {
    return [`It does not subscribe to ${eventTypes.join(', ')}, so none is recovered. Such events without a delivery to it in this time: ${others === '' ? 'none' : others}. If they are wanted, ${addFirst}`];
  }
  const listed = getItems(missed, 'first').length;
  const changed = typeof changedAt === 'string' ? `, and its subscriptions were last changed ${timeZone.show(changedAt)}` : '';
  return [
    ...(isDryRun && counted.length > 0 ? [`Counted are the types that it subscribes to now: ${counted.join(', ')}.${counts === '' ? '' : ` Of these: ${counts}.`}`] : []),
    ...(isDryRun && listed > 0 && (getNumber(missed, 'matched') ?? 0) > listed ? [`The oldest ${listed} of them are listed.`] : []),
    ...(others === '' ? [] : [`Not counted: ${others}. It does not subscribe to them${changed}. If they are wanted, ${addFirst}`]),
  ];
}
