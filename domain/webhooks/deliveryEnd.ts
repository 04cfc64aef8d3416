import type { AttemptRow, DeliveryRow } from '../../db/repositories/webhooks/deliveries';
import { finalStatusByReason, maxHeldDays, type DeliveryStatus, type EndReason } from '../../db/repositories/webhooks/deliveryStatus';
import { goneStatusCode } from './classifyAttempt';
import { lastAttemptLeadMs } from './retrySchedule';

/** What is stored of the end of a delivery. */
export interface StoredEnd {
  status: DeliveryStatus;
  response_code: number | null;
  deadline_at: Date | null;
  ended_at: Date | null;
  end_reason: EndReason | null;
  /** The last attempt of its present cycle. */
  last_began_at: Date | null;
  last_ended_at: Date | null;
  last_error: string | null;
}

/** Returns when a held delivery is given up, if it is still held then. */
export const heldUntil = (heldAt: Date): Date => new Date(heldAt.getTime() + maxHeldDays * 86_400_000);

/** Why a delivery ended and when, by the clock of its institution; null where that is not stored. */
export interface DeliveryEnd {
  /** A clause that follows "because". */
  because: string | null;
  /** The same for a list, in a few words. */
  short: string | null;
  at: Date | null;
}

const words: Record<EndReason | 'never_tried' | 'gone' | 'aborted', Pick<DeliveryEnd, 'because' | 'short'>> = {
  deadline: { because: 'its 12 hours were over', short: '12 hours over' },
  never_tried: { because: 'its 12 hours were over: until then the circuit of its endpoint was open, its rate limit was used up, a slow receiver had others before it all the time, or no worker was running', short: '12 hours over' },
  held_too_long: { because: 'it had been held for 30 days', short: 'held for 30 days' },
  endpoint_disabled: { because: 'its endpoint was disabled', short: 'endpoint disabled' },
  event_pruned: { because: 'its event was pruned, so that there was nothing left to send', short: 'event pruned' },
  endpoint_deleted: { because: 'its endpoint was deleted', short: 'endpoint deleted' },
  cancelled: { because: 'it was cancelled by a call', short: 'cancelled by a call' },
  gone: { because: 'its receiver responded with 410 Gone, which also disables the endpoint', short: '410 Gone' },
  aborted: { because: 'its receiver asked for no further attempts (Webhook-Abort)', short: 'Webhook-Abort' },
};

/** Whether the reason of an end is that of the present end: a process of the release before writes none. */
const isOwnReason = ({ status, ended_at, end_reason, last_began_at }: StoredEnd): boolean =>
  end_reason !== null && ended_at !== null && finalStatusByReason[end_reason] === status && (last_began_at === null || last_began_at <= ended_at);

/** Returns why the last attempt of a dead delivery was its last; undefined if the attempt does not say. */
function reasonOfLastAttempt({ status, response_code, deadline_at, last_began_at, last_error }: StoredEnd): keyof typeof words | undefined {
  if (status !== 'dead' || last_began_at === null) return undefined;
  if (response_code === goneStatusCode) return 'gone';
  if (last_error?.includes('Webhook-Abort') === true) return 'aborted';
  return deadline_at !== null && last_began_at.getTime() >= deadline_at.getTime() - lastAttemptLeadMs ? 'deadline' : undefined;
}

/** Returns why and when a dead or cancelled delivery ended; undefined for any other. */
export function deliveryEnd(stored: StoredEnd): DeliveryEnd | undefined {
  if (stored.status !== 'dead' && stored.status !== 'cancelled') return undefined;
  if (stored.end_reason !== null && isOwnReason(stored)) {
    const reason = stored.end_reason === 'deadline' && stored.last_began_at === null ? 'never_tried' : stored.end_reason;
    return { ...words[reason], at: stored.ended_at };
  }
  const reason = reasonOfLastAttempt(stored);
  return reason === undefined ? { because: null, short: null, at: null } : { ...words[reason], at: stored.last_ended_at };
}

/** The same by the attempts of a delivery, in order. */
export function deliveryEndOf(delivery: DeliveryRow, attempts: readonly AttemptRow[]): DeliveryEnd | undefined {
  const last = attempts.findLast(({ cycle }) => cycle === delivery.cycle);
  return deliveryEnd({
    ...delivery,
    last_began_at: last?.started_at ?? null,
    last_ended_at: last === undefined ? null : new Date(last.started_at.getTime() + last.duration_ms),
    last_error: last?.error ?? null,
  });
}
