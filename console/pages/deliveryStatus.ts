import type { SupportDelivery } from '../../db/repositories/support/delivery';
import type { DeliveryStatus } from '../../db/repositories/webhooks/deliveryStatus';
import { deliveryEnd } from '../../domain/webhooks/deliveryEnd';
import { capitalized } from '../../lib/capitalized';
import { deliveryStop, dueStopSentence, type DeliveryStop } from '../../domain/webhooks/deliveryStop';
import { lastResponseText } from '../../domain/webhooks/lastResponse';
import { backlogWorkflowId, deliveryWorkflowId } from '../../domain/outbox/workflows';
import { lateMs } from '../../db/repositories/webhooks/lateDeliveries';
import { formatDelay } from '../../lib/span';
import { href, pathTo } from '../consoleRequest';
import { html, type Html, type HtmlValue } from '../html';
import { inlineTimeElement, plural, type Times } from '../format';

/** `cause` is why a delivered one was late. */
type Sentence = (delivery: SupportDelivery, times: Times, cause?: HtmlValue) => HtmlValue;

const responseText = ({ response_code }: SupportDelivery): string => (response_code === null ? 'without a response' : `with HTTP ${response_code}`);

/** Returns what stops the attempts of a delivery; undefined if it is attempted, or given up because its endpoint is disabled. */
export const stopOf = ({ institution_status, endpoint_status, circuit }: SupportDelivery): DeliveryStop | undefined =>
  deliveryStop({ institutionStatus: institution_status, endpointStatus: endpoint_status, circuit });

function nextProbe(at: Date | null, times: Times): HtmlValue {
  if (at === null) return null;
  return at <= times.now ? ', the next one now' : html`, the next ${inlineTimeElement(at, times)}`;
}

/** Returns why a delivery is held, and what sends it. */
function holdReason(delivery: SupportDelivery, times: Times): HtmlValue {
  if (delivery.endpoint_status === 'disabled') return ': its endpoint is disabled, which gives it up';
  const stop = stopOf(delivery);
  if (stop === undefined) return '; it is in its endpoint’s backlog, and is sent soon';
  if (stop.deadlineStop !== undefined) return `: ${stop.because}; it is sent ${stop.sent}, and given up once it has been held for 30 days`;
  return html`: ${stop.because}${nextProbe(delivery.probe_at, times)}; it is sent ${stop.sent}`;
}

// `attempts` counts all cycles; `first_attempt_at` is of the present one.
const pendingSentence: Sentence = (delivery) => {
  const { attempts, claimed, cycle, first_attempt_at } = delivery;
  if (claimed) return 'An attempt is being made at this moment.';
  const stop = stopOf(delivery);
  if (stop !== undefined) return dueStopSentence(stop);
  if (attempts > 0 && first_attempt_at !== null) return 'The next attempt is due now.';
  if (cycle > 1) return `It is replayed: the first attempt of cycle ${cycle} is due now, after ${plural(attempts, 'attempt')} before.`;
  return 'The first attempt is due now.';
};

/** What comes of the next attempt of a delivery that is retried. */
function nextAttemptSentence(delivery: SupportDelivery, times: Times): HtmlValue {
  const { endpoint_status, next_attempt_at } = delivery;
  if (endpoint_status === 'disabled') return 'Its endpoint is disabled, which gives it up.';
  const stop = stopOf(delivery);
  if (stop !== undefined) {
    return html`${capitalized(stop.because)}: when its next attempt is due${
      next_attempt_at === null ? null : html` (${inlineTimeElement(next_attempt_at, times)})`} it is held, and sent ${stop.sent}.`;
  }
  return next_attempt_at === null ? 'The next one is being planned.' : html`The next one is due ${inlineTimeElement(next_attempt_at, times)}.`;
}

const retryingSentence: Sentence = (delivery, times) => html`The last of ${plural(delivery.attempts, 'attempt')} failed, ${responseText(delivery)}. ${nextAttemptSentence(delivery, times)}`;

/** When it ended, and why or by whom, as far as that is stored. */
const endSentence: Sentence = (delivery, times, byWhom) => {
  const end = deliveryEnd(delivery);
  if (end === undefined || end.because === null || end.at === null) return null;
  return html`That was ${inlineTimeElement(end.at, times, 'just now')}, ${byWhom ?? html`because ${end.because}`}.`;
};

/** What becomes of an ended delivery: it cannot be replayed once its endpoint is deleted. */
const nothingMore = ({ endpoint_deleted }: SupportDelivery): string => `Nothing more is sent${endpoint_deleted ? '' : ' unless it is replayed'}.`;

/** Whether a delivery was late in its first cycle: its event says why. */
export const isLate = ({ created_at, delivered_at, cycle }: Pick<SupportDelivery, 'created_at' | 'delivered_at' | 'cycle'>): boolean => cycle === 1 && delivered_at !== null && delivered_at.getTime() - created_at.getTime() >= lateMs;

/** Says of a delivery that was late how late, why, and where more is. */
function lateSentence({ created_at, delivered_at, event_id, cycle }: SupportDelivery, cause: HtmlValue): HtmlValue {
  const lateBy = delivered_at === null ? 0 : delivered_at.getTime() - created_at.getTime();
  if (lateBy < lateMs) return null;
  const after = ` That was ${formatDelay(lateBy)} after it was created`;
  if (cycle > 1) return `${after}; the attempts below say how its earlier cycles went.`;
  const event = href(pathTo.event(event_id));
  return cause === undefined ? html`${after}; why is said <a href="${event}">at its event</a>.` : html`${after}. ${cause} See <a href="${event}">its event</a>.`;
}

const sentences: Record<DeliveryStatus, Sentence> = {
  pending: pendingSentence,
  retrying: retryingSentence,
  held: (delivery, times) => {
    const since = delivery.held_at === null ? null : html` since ${inlineTimeElement(delivery.held_at, times)}`;
    return html`It is held${since}${holdReason(delivery, times)}.`;
  },
  delivered: (delivery, times, cause) => html`It was delivered${
    delivery.delivered_at === null ? null : html` ${inlineTimeElement(delivery.delivered_at, times)}`}, ${responseText(delivery)}, with attempt ${delivery.attempts}.${lateSentence(delivery, cause)}`,
  dead: (delivery, times) => html`${delivery.attempts === 0
    ? 'It was given up before an attempt could be made.'
    : `It was given up after ${plural(delivery.attempts, 'attempt')}${lastResponseText(delivery)}.`} ${endSentence(delivery, times)} ${nothingMore(delivery)}`,
  cancelled: (delivery, times, cause) => html`It was cancelled after ${plural(delivery.attempts, 'attempt')}. ${endSentence(delivery, times, cause)} ${nothingMore(delivery)}`,
};

/** Returns the status of a delivery in a sentence or two; `cause` is why a delivered one was late, or who cancelled one, if that is known. */
export const statusSentence = (delivery: SupportDelivery, times: Times, cause?: HtmlValue): Html => html`${sentences[delivery.status](delivery, times, cause)}`;

/** Returns the workflow that waits for a delivery, or did last: its own, or its endpoint's backlog; undefined if none was needed. */
export function waitingWorkflowId({ id, cycle, status, retried_by, endpoint_id, backlog_run }: SupportDelivery): string | undefined {
  const byBacklog = retried_by === 'backlog' || (retried_by === null && status === 'held');
  if (byBacklog) return backlog_run > 0 ? backlogWorkflowId(endpoint_id, backlog_run) : undefined;
  return retried_by === 'workflow' ? deliveryWorkflowId(id, cycle) : undefined;
}
