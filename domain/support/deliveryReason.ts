import type { AuditedChange } from '../../db/repositories/auditLog/auditLog';
import type { EndpointOfEvent, SupportEvent } from '../../db/repositories/support/events';
import type { DeliveryStatus } from '../../db/repositories/webhooks/deliveryStatus';
import { lateMs } from '../../db/repositories/webhooks/lateDeliveries';
import { formatDelay } from '../../lib/span';
import { deliveryEnd } from '../webhooks/deliveryEnd';
import { deliveryStop, dueStopSentence, retryStopSentence, type DeliveryStop } from '../webhooks/deliveryStop';
import { lastResponseText } from '../webhooks/lastResponse';
import { rateLimitText } from '../webhooks/rateLimits';
import { byWhom, causeOfDelay, type DelayFacts } from './delay';

/** What is known of a delivery. */
export interface DeliveryFacts {
  event: Pick<SupportEvent, 'created_at'>;
  endpoint: EndpointOfEvent;
  /** Changes of the endpoint's status by a caller since the event, oldest first. */
  statusChanges: readonly AuditedChange[];
  /** Why the endpoint had no delivery of the event before its recovery, as the end of a sentence. */
  missedBecause: string;
  /** Why it was late; undefined if it was not. */
  delay: DelayFacts | undefined;
  /** The call that cancelled the delivery, if one did. */
  cancellation: AuditedChange | undefined;
}

interface Reason {
  reason: string;
  at: Date | null;
  /** Whether `at` is of the audit log, which has the real time also where the clock of a sandbox is ahead. */
  isRealTime?: true;
  /** Why a delivered one was late, or by whom one was cancelled: the end of `reason`. */
  cause?: string;
}

const attemptsText = (attempts: number | null): string => (attempts === 1 ? '1 attempt' : `${attempts ?? 0} attempts`);
const responseText = ({ response_code }: EndpointOfEvent): string => (response_code === null ? 'without a response' : `with HTTP ${response_code}`);

const stopOf = ({ institution_status, status, circuit }: EndpointOfEvent): DeliveryStop | undefined =>
  deliveryStop({ institutionStatus: institution_status, endpointStatus: status, circuit });

/** Returns why a delivery is held. */
function holdReason(endpoint: EndpointOfEvent): string {
  if (endpoint.status === 'disabled') return 'its endpoint is disabled, which gives it up';
  const stop = stopOf(endpoint);
  return stop === undefined ? 'it is in the backlog of its endpoint, and is sent soon' : `${stop.because}; it is sent ${stop.sent}`;
}

function deliveredReason(facts: DeliveryFacts): Reason {
  const { event, endpoint } = facts;
  const { attempts, delivered_at } = endpoint;
  const outcome = `It was accepted ${responseText(endpoint)}, at attempt ${attempts ?? 0}.`;
  const lateBy = delivered_at === null ? 0 : delivered_at.getTime() - event.created_at.getTime();
  if (lateBy < lateMs) return { reason: outcome, at: delivered_at };
  const cause = causeOfDelay(endpoint, facts);
  return { reason: `${outcome} That was ${formatDelay(lateBy)} after the event. ${cause}`, at: delivered_at, cause };
}

function cancelledReason({ endpoint, cancellation }: DeliveryFacts): Reason {
  const { deleted_at, attempts } = endpoint;
  const after = `It was cancelled after ${attemptsText(attempts)}`;
  if (cancellation !== undefined) return { reason: `${after}, ${byWhom(cancellation)}.`, at: cancellation.at, isRealTime: true, cause: byWhom(cancellation) };
  const end = deliveryEnd({ ...endpoint, status: 'cancelled' });
  if (typeof end?.because === 'string') return { reason: `${after}, because ${end.because}.`, at: end.at };
  return deleted_at === null ? { reason: `${after}.`, at: null } : { reason: `${after}, because its endpoint was deleted.`, at: deleted_at };
}

function deadReason({ endpoint }: DeliveryFacts): Reason {
  const end = deliveryEnd({ ...endpoint, status: 'dead' });
  const outcome = endpoint.attempts === 0 ? 'It was given up before an attempt could be made' : `It was given up after ${attemptsText(endpoint.attempts)}${lastResponseText(endpoint)}`;
  return typeof end?.because === 'string' ? { reason: `${outcome}, because ${end.because}.`, at: end.at } : { reason: `${outcome}.`, at: null };
}

function pendingReason({ endpoint }: DeliveryFacts): Reason {
  const stop = stopOf(endpoint);
  if (stop !== undefined) return { reason: dueStopSentence(stop), at: null };
  const due = endpoint.attempts === 0 ? 'Its first attempt is due or being made now.' : `An attempt is due or being made now, after ${attemptsText(endpoint.attempts)}.`;
  return { reason: endpoint.rate_limit === null ? due : `${due} Its endpoint takes at most ${rateLimitText(endpoint.rate_limit)}.`, at: null };
}

/** What is not attempted has no time of a next attempt. */
function retryingReason({ endpoint }: DeliveryFacts): Reason {
  const failed = `${attemptsText(endpoint.attempts)} failed${lastResponseText(endpoint)}.`;
  const stop = stopOf(endpoint);
  if (stop !== undefined) return { reason: `${failed} ${retryStopSentence(stop)}`, at: null };
  return endpoint.status === 'disabled' ? { reason: `${failed} Its endpoint is disabled, which gives it up.`, at: null } : { reason: `${failed} The next one is planned.`, at: endpoint.next_attempt_at };
}

const reasons: Record<DeliveryStatus, (facts: DeliveryFacts) => Reason> = {
  pending: pendingReason,
  retrying: retryingReason,
  held: ({ endpoint }) => ({ reason: `It is held: ${holdReason(endpoint)}.`, at: endpoint.held_at }),
  delivered: deliveredReason,
  dead: deadReason,
  cancelled: cancelledReason,
};

/** Returns why a delivery has its status, and the moment that the reason is about. */
export const deliveryReason = (status: DeliveryStatus, facts: DeliveryFacts): Reason => reasons[status](facts);
