import type { ErrorClass, RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import type { ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import { toRealTime } from '../clock';
import { deliveryWorkflowId, type OutboxEntry, type WorkflowArguments } from '../outbox/workflows';
import { delayedProbeAt } from './circuitBreaker';
import { scheduleAfterFailure, requestedRetryAfterMs } from './retrySchedule';

/** The outcome of one attempt, as the webhook client reports it (section Delivery). Durations in ms. */
export interface AttemptOutcome {
  /** Any 2xx, complete within the time. */
  ok: boolean;
  /** The status of the response, also if the response was not complete in time. */
  responseCode: number | null;
  errorClass: ErrorClass | null;
  /** May be shown to the owner of the receiver: contains no address and no stack. */
  error: string | null;
  durationMs: number;
  /** Lookup, connect and handshake; null if the connection already existed or none was made. */
  connectMs: number | null;
  /** The first 4 KiB of the response, valid UTF-8 without NUL. */
  responseBody: string | null;
  /** The header `Retry-After` as received. */
  retryAfter: string | null;
  /** Whether the response was a failure that asked for no further attempts, by `Webhook-Abort: true`. */
  abort: boolean;
  /** Whether the attempt was sent twice, because its kept-alive connection broke before a byte of a response arrived. */
  resent: boolean;
}

/** Why an attempt is made: by the schedule, or outside of it by request or as a probe. */
export type AttemptReason = 'schedule' | 'request';

/** The status code of a receiver that permanently wants no deliveries: the delivery is dead, and its endpoint is disabled. */
export const goneStatusCode = 410;

/** Returns the record of an attempt and the delivery's next state: delivered, the next attempt, or dead. Times are by the clock of the institution; the receiver's `Retry-After` is by the real one. */
export function classifyAttempt(delivery: ClaimedDelivery, reason: AttemptReason, startedAt: Date, outcome: AttemptOutcome, random: number): RecordedAttempt {
  const endedAt = new Date(startedAt.getTime() + outcome.durationMs);
  const facts = {
    delivery_id: delivery.id,
    institution_id: delivery.institution_id,
    endpoint_id: delivery.endpoint_id,
    event_type: delivery.event_type,
    cycle: delivery.cycle,
    number: delivery.attempts + 1,
    started_at: startedAt,
    ended_at: endedAt,
    duration_ms: Math.round(outcome.durationMs),
    connect_ms: outcome.connectMs === null ? null : Math.round(outcome.connectMs),
    response_code: outcome.responseCode,
    error_class: outcome.errorClass,
    error: outcome.error,
    response_body: outcome.responseBody,
    resent: outcome.resent,
    asked_until: null,
  };
  if (outcome.ok) return { ...facts, status: 'delivered', next_attempt_at: null, schedule_step: delivery.schedule_step, retry_workflow: null };
  const retryAfterMs = requestedRetryAfterMs(outcome, toRealTime({ clockOffsetMs: delivery.clock_offset_ms }, endedAt));
  const after = scheduleAfterFailure({
    startedAt,
    endedAt,
    deadlineAt: delivery.deadline_at,
    scheduleStep: delivery.schedule_step,
    plannedAt: reason === 'request' ? (delivery.next_attempt_at ?? endedAt) : null,
    retryAfterMs,
    random,
  });
  return {
    ...facts,
    status: outcome.responseCode === goneStatusCode || outcome.abort ? 'dead' : after.status,
    next_attempt_at: after.status === 'retrying' ? after.nextAttemptAt : null,
    schedule_step: after.scheduleStep,
    asked_until: retryAfterMs === null ? null : delayedProbeAt(endedAt, retryAfterMs),
    retry_workflow: retryWorkflowStart(delivery.id, facts),
  };
}

function retryWorkflowStart(delivery_id: string, { institution_id, endpoint_id, event_type, cycle }: Pick<RecordedAttempt, 'institution_id' | 'endpoint_id' | 'event_type' | 'cycle'>): OutboxEntry {
  const argument: WorkflowArguments['webhookDelivery'] = {
    deliveryId: delivery_id,
    institutionId: institution_id,
    endpointId: endpoint_id,
    eventType: event_type,
    cycle,
  };
  return { kind: 'start', name: 'webhookDelivery', workflowId: deliveryWorkflowId(delivery_id, cycle), argument };
}
