import {
  findSupportEvent, listEndpointsOfEvent, listWebhookChangesSince, maxChanges, maxEndpointsOfEvent, type EndpointOfEvent, type SupportEvent,
} from '../../db/repositories/support/events';
import type { AuditedChange } from '../../db/repositories/auditLog/auditLog';
import { listLastEventsChanges } from '../../db/repositories/support/delays';
import type { DeliveryStatus } from '../../db/repositories/webhooks/deliveryStatus';
import type { Sql } from '../../db/statement';
import { eventTypesMatching } from '../events/patterns';
import { timeOfId } from '../ids';
import { findLastDisabledAt } from '../webhooks/endpointHealth';
import { byWhom, readDelay, type DelayFacts } from './delay';
import { deliveryReason } from './deliveryReason';

/** Why an endpoint has no delivery of an event; `unknown` where the rows leave more than one possibility. */
export const absentOutcomes = ['queued', 'created_later', 'deleted', 'not_subscribed', 'disabled', 'unknown'] as const;
export type Outcome = DeliveryStatus | (typeof absentOutcomes)[number];

/** What became of an event at one endpoint. */
export interface EndpointOutcome {
  endpoint_id: string;
  url: string;
  description: string | null;
  outcome: Outcome;
  /** One or two sentences. */
  reason: string;
  /** The moment that the reason is about. */
  at: Date | null;
  /** Whether `at` is of the audit log, which has the real time also where the clock of a sandbox is ahead. */
  isRealTime?: true;
  /** Why a delivered one was late: the end of `reason`. */
  cause?: string;
  delivery_id: string | null;
  /** The beginning of the response to the last attempt, where that failed; null without one. */
  failedResponse: string | null;
}

/** An event, and what became of it at each endpoint of its institution. */
export interface ExplainedEvent {
  event: SupportEvent;
  endpoints: EndpointOutcome[];
  /** What was left out, in sentences, because there is more than is read for one event. */
  bounds: string[];
}

/** What is known when an endpoint has no delivery of an event. */
interface Absence {
  event: SupportEvent;
  endpoint: EndpointOfEvent;
  isSubscribed: boolean;
  /** Changes of the endpoint's subscriptions since the event, oldest first. */
  eventsChanges: readonly AuditedChange[];
  /** The last change of them before the event, where it does not subscribe to it. */
  earlierEventsChange: AuditedChange | undefined;
  /** Changes of its status by a caller since the event, oldest first. */
  statusChanges: readonly AuditedChange[];
}

type Explanation = Pick<EndpointOutcome, 'outcome' | 'reason' | 'at' | 'isRealTime'>;

/** Returns why an endpoint is disabled, as the end of a sentence. */
const disabledBecause = (reason: string | null): string => (reason === null ? 'no reason is stored' : `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`.replace(/\.$/, ''));

/** Names the last change of the subscriptions before the event, for a clause; empty if there was none. */
const lastBefore = (earlier: AuditedChange | undefined): string => (earlier === undefined ? '' : `, and before it last at ${earlier.at.toISOString()} ${byWhom(earlier)}`);

/** The events of an endpoint are those since its creation, of the types it subscribes to, unless it is deleted or disabled when they are distributed. */
const absenceRules: readonly ((absence: Absence) => Explanation | undefined)[] = [
  ({ event: { created_at }, endpoint }) =>
    endpoint.created_at > created_at
      ? { outcome: 'created_later', reason: 'It was created after the event. An endpoint receives the events since its creation.', at: endpoint.created_at }
      : undefined,
  ({ event: { created_at }, endpoint: { deleted_at } }) =>
    deleted_at !== null && deleted_at <= created_at ? { outcome: 'deleted', reason: 'It was deleted before the event.', at: deleted_at } : undefined,
  ({ event: { queued } }) =>
    queued ? { outcome: 'queued', reason: 'The event waits to be distributed to the endpoints; none has its delivery yet.', at: null } : undefined,
  ({ event: { type }, endpoint: { events }, isSubscribed, eventsChanges: [change], earlierEventsChange: earlier }) => {
    if (isSubscribed) return undefined;
    if (change === undefined) {
      const since = earlier === undefined ? 'were not changed since the event' : `were last changed before the event, at ${earlier.at.toISOString()} ${byWhom(earlier)}; what they were until then is not stored`;
      return { outcome: 'not_subscribed', reason: `It does not subscribe to ${type}, and its subscriptions ${since}. It subscribes to ${events.join(', ')}.`, at: null };
    }
    return {
      outcome: 'unknown',
      reason: `It does not subscribe to ${type} now. Its subscriptions were changed after the event, first ${byWhom(change)}${lastBefore(earlier)}; what they were before is not stored, so it either did not subscribe then, or was disabled.`,
      at: change.at,
      isRealTime: true,
    };
  },
  ({ event: { type }, eventsChanges: [change], earlierEventsChange: earlier }) =>
    change === undefined
      ? undefined
      : {
          outcome: 'unknown',
          reason: `It subscribes to ${type} now. Its subscriptions were changed after the event, first ${byWhom(change)}${lastBefore(earlier)}; what they were before is not stored, so it either did not subscribe then, or was disabled.`,
          at: change.at,
          isRealTime: true,
        },
  ({ endpoint: { deleted_at } }) =>
    deleted_at === null ? undefined : { outcome: 'unknown', reason: 'It was deleted after the event, and was either disabled when the event happened or deleted before the event was distributed.', at: deleted_at },
  // It existed and subscribed: only a disabled endpoint gets no delivery then.
  ({ endpoint: { status, disabled_reason }, statusChanges: [change] }) => {
    const then = 'It was disabled when the event happened: a disabled endpoint receives no deliveries, and those that it missed are sent only by a recovery of the endpoint.';
    if (change !== undefined) return { outcome: 'disabled', reason: `${then} Its status was set after the event, first ${byWhom(change)}.`, at: change.at, isRealTime: true };
    return { outcome: 'disabled', reason: status === 'disabled' ? `${then} It is still disabled: ${disabledBecause(disabled_reason)}.` : then, at: null };
  },
];

function explainAbsence(absence: Absence): Explanation {
  for (const rule of absenceRules) {
    const explanation = rule(absence);
    if (explanation !== undefined) return explanation;
  }
  throw new Error('The last rule applies to every endpoint');
}

/** Why an endpoint had no delivery of an event before its recovery, as the end of a sentence. */
const missedBecause = ({ outcome }: Explanation): string =>
  outcome === 'disabled' ? 'its endpoint was disabled when the event happened' : outcome === 'created_later' ? 'its endpoint was created after the event' : 'its endpoint did not receive the event when it happened';

const isAbout = ({ target }: AuditedChange, id: string): boolean => Object.values(target).includes(id);

const subscribesTo = ({ events }: EndpointOfEvent, wanted: string): boolean => events.some((pattern) => eventTypesMatching(pattern).some((type) => type === wanted));

function explainEndpoint(event: SupportEvent, endpoint: EndpointOfEvent, { changes, earlier, delay }: { changes: readonly AuditedChange[]; earlier: readonly AuditedChange[]; delay: DelayFacts | undefined }): EndpointOutcome {
  const { endpoint_id, url, description, delivery_id, delivery_status } = endpoint;
  const own = changes.filter((change) => isAbout(change, endpoint_id));
  const changesOf = (field: string): AuditedChange[] => own.filter(({ operation, changed }) => operation === 'updateWebhookEndpoint' && changed.includes(field));
  const absence = {
    event, endpoint, isSubscribed: subscribesTo(endpoint, event.type), eventsChanges: changesOf('events'), statusChanges: changesOf('status'),
    earlierEventsChange: earlier.find((change) => isAbout(change, endpoint_id)),
  };
  if (delivery_id === null || delivery_status === null) return { endpoint_id, url, description, delivery_id: null, failedResponse: null, ...explainAbsence(absence) };
  const facts = {
    event,
    endpoint,
    statusChanges: absence.statusChanges,
    delay,
    missedBecause: missedBecause(explainAbsence({ ...absence, event: { ...event, queued: false } })),
    cancellation: changes.find((change) => change.operation === 'cancelDelivery' && isAbout(change, delivery_id)),
  };
  const failedResponse = delivery_status === 'delivered' ? null : endpoint.last_response_start;
  return { endpoint_id, url, description, delivery_id, failedResponse, outcome: delivery_status, ...deliveryReason(delivery_status, facts) };
}

/** Adds to the outcome of an endpoint that is still disabled since when, as long as the event of it is kept. */
async function withDisabledAt(sql: Sql, { institution_id: institutionId }: SupportEvent, outcomes: readonly EndpointOutcome[], disabledIds: ReadonlySet<string>): Promise<EndpointOutcome[]> {
  const dated: EndpointOutcome[] = [];
  for (const outcome of outcomes) {
    const isUndated = outcome.outcome === 'disabled' && outcome.at === null && disabledIds.has(outcome.endpoint_id);
    dated.push(isUndated ? { ...outcome, at: (await findLastDisabledAt({ institutionId, sql }, outcome.endpoint_id)) ?? null } : outcome);
  }
  return dated;
}

/** Failures come first, endpoints that were not there when the event happened last. */
const order: readonly Outcome[] = ['dead', 'retrying', 'held', 'disabled', 'unknown', 'cancelled', 'queued', 'pending', 'delivered', 'not_subscribed', 'created_later', 'deleted'];

/** Those whose subscriptions were changed before the event come above those that never asked for it. */
const rankOf = ({ outcome, endpoint_id }: EndpointOutcome, earlier: readonly AuditedChange[]): number =>
  order.indexOf(outcome) + (outcome === 'not_subscribed' && !earlier.some((change) => isAbout(change, endpoint_id)) ? 0.5 : 0);

/** Returns an event, and for each endpoint of its institution whether it was delivered, or why not, failures first; undefined for an unknown event. */
export async function explainEvent(sql: Sql, eventId: string): Promise<ExplainedEvent | undefined> {
  const event = await findSupportEvent(sql, eventId);
  if (event === undefined) return undefined;
  // The audit log has the real time, as ids have, while the clock of a sandbox may be ahead.
  const happenedAt = timeOfId(event.id) ?? event.created_at;
  const [endpoints, changes] = await Promise.all([
    listEndpointsOfEvent(sql, event.institution_id, event.id),
    listWebhookChangesSince(sql, event.institution_id, happenedAt),
  ]);
  const bounds = [
    ...(endpoints.length < maxEndpointsOfEvent ? [] : [`Only ${maxEndpointsOfEvent} endpoints are named: first those with a delivery, last the deleted ones.`]),
    ...(changes.length < maxChanges ? [] : [`Only the first ${maxChanges.toLocaleString('en')} changes of endpoints and cancellations since the event were read, up to ${changes.at(-1)?.at.toISOString() ?? ''}: a reason that is later is not named.`]),
  ];
  const withoutDelivery = endpoints.filter(({ delivery_id }) => delivery_id === null).map(({ endpoint_id }) => endpoint_id);
  const earlier = withoutDelivery.length === 0 ? [] : await listLastEventsChanges(sql, event.institution_id, withoutDelivery, happenedAt);
  const explained: EndpointOutcome[] = [];
  for (const endpoint of endpoints) explained.push(explainEndpoint(event, endpoint, { changes, earlier, delay: await readDelay(sql, event, endpoint) }));
  const outcomes = explained.toSorted((one, other) => rankOf(one, earlier) - rankOf(other, earlier));
  const disabledIds = new Set(endpoints.filter(({ status }) => status === 'disabled').map(({ endpoint_id }) => endpoint_id));
  return { event, endpoints: await withDisabledAt(sql, event, outcomes, disabledIds), bounds };
}
