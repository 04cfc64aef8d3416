import type { SupportDelivery } from '../../db/repositories/support/delivery';
import type { DeliveryStatus } from '../../db/repositories/webhooks/deliveryStatus';
import { deliveryEnd } from '../../domain/webhooks/deliveryEnd';
import { backlogWorkflowId, deliveryWorkflowId } from '../../domain/outbox/workflows';
import { html, type Html, type HtmlValue } from '../html';
import { inlineTimeElement, plural, type Times } from '../format';

type Sentence = (delivery: SupportDelivery, times: Times) => HtmlValue;

const responseText = ({ response_code }: SupportDelivery): string => (response_code === null ? 'without a response' : `with HTTP ${response_code}`);

/** Reasons why a delivery is held; the first that applies counts. */
const holdReasons: readonly { applies: (delivery: SupportDelivery) => boolean; reason: Sentence }[] = [
  { applies: ({ institution_status }) => institution_status !== 'approved', reason: () => 'its institution is not approved; it is sent when the institution is approved' },
  { applies: ({ endpoint_status }) => endpoint_status === 'paused', reason: () => 'its endpoint is paused; it is sent when the endpoint is resumed, and given up once it has been held for 30 days' },
  { applies: ({ endpoint_status }) => endpoint_status === 'disabled', reason: () => 'its endpoint is disabled' },
  {
    applies: ({ circuit }) => circuit === 'open',
    reason: ({ probe_at }, times) => html`its endpoint failed so often in a row that only one delivery is tried at a time${
      probe_at === null ? null : html`, the next ${inlineTimeElement(probe_at, times)}`}; it is sent after one has succeeded`,
  },
];

// `attempts` counts all cycles; `first_attempt_at` is of the present one.
const pendingSentence: Sentence = ({ attempts, claimed, cycle, first_attempt_at }) => {
  if (claimed) return 'An attempt is being made at this moment.';
  if (attempts > 0 && first_attempt_at !== null) return 'The next attempt is due now.';
  if (cycle > 1) return `It is replayed: the first attempt of cycle ${cycle} is due now, after ${plural(attempts, 'attempt')} before.`;
  return 'The first attempt is due now.';
};

const retryingSentence: Sentence = (delivery, times) => html`The last of ${plural(delivery.attempts, 'attempt')} failed, ${responseText(delivery)}. ${
  delivery.next_attempt_at === null ? 'The next one is being planned.' : html`The next one is due ${inlineTimeElement(delivery.next_attempt_at, times)}.`}`;

/** When and why it ended, as far as that is stored. */
const endSentence: Sentence = (delivery, times) => {
  const end = deliveryEnd(delivery);
  if (end === undefined || end.because === null || end.at === null) return null;
  return html`That was ${inlineTimeElement(end.at, times, 'just now')}, because ${end.because}.`;
};

const sentences: Record<DeliveryStatus, Sentence> = {
  pending: pendingSentence,
  retrying: retryingSentence,
  held: (delivery, times) => {
    const holdReason = holdReasons.find(({ applies }) => applies(delivery));
    const since = delivery.held_at === null ? null : html` since ${inlineTimeElement(delivery.held_at, times)}`;
    return html`It is held${since}${holdReason === undefined ? '; it is in its endpoint’s backlog, and is sent soon' : html`: ${holdReason.reason(delivery, times)}`}.`;
  },
  delivered: (delivery, times) => html`It was delivered${
    delivery.delivered_at === null ? null : html` ${inlineTimeElement(delivery.delivered_at, times)}`}, ${responseText(delivery)}, with attempt ${delivery.attempts}.`,
  dead: (delivery, times) => html`${delivery.attempts === 0
    ? 'It was given up before an attempt could be made.'
    : `It was given up after ${plural(delivery.attempts, 'attempt')}, the last one ${responseText(delivery)}.`} ${endSentence(delivery, times)} Nothing more is sent unless it is replayed.`,
  cancelled: (delivery, times) => html`It was cancelled after ${plural(delivery.attempts, 'attempt')}. ${endSentence(delivery, times)} Nothing more is sent unless it is replayed.`,
};

/** Returns the status of a delivery in a sentence or two. */
export const statusSentence = (delivery: SupportDelivery, times: Times): Html => html`${sentences[delivery.status](delivery, times)}`;

/** Returns the workflow that waits for a delivery, or did last: its own, or its endpoint's backlog; undefined if none was needed. */
export function waitingWorkflowId({ id, cycle, status, retried_by, endpoint_id, backlog_run }: SupportDelivery): string | undefined {
  const byBacklog = retried_by === 'backlog' || (retried_by === null && status === 'held');
  if (byBacklog) return backlog_run > 0 ? backlogWorkflowId(endpoint_id, backlog_run) : undefined;
  return retried_by === 'workflow' ? deliveryWorkflowId(id, cycle) : undefined;
}
