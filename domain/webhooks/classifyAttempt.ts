import type { ErrorClass, RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import type { ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import { toRealTime } from '../clock';
import { deliveryWorkflowId, type OutboxEntry, type WorkflowArguments } from '../outbox/workflows';
import { delayedProbeAt } from './circuitBreaker';
import { scheduleAfterFailure, requestedRetryAfterMs } from './retrySchedule';

/** The result of one attempt, as the client reports it. Durations in ms. */
export interface Outcome {
  ok: boolean;
  responseCode: number | null;
  errorClass: ErrorClass | null;
  error: string | null;
  durationMs: number;
  connectMs: number | null;
  responseBody: string | null;
  retryAfter: string | null;
  /** Whether the attempt was sent twice, because its kept-alive connection broke before a byte of a response arrived. */
  resent: boolean;
}

/** Why an attempt is made: by the schedule, or outside of it by request or as a probe. */
export type AttemptReason = 'schedule' | 'request';

/** The status code of a receiver that permanently wants no deliveries: the delivery is dead, and its endpoint is disabled. */
export const goneStatusCode = 410;

/** Returns the record of an attempt and the delivery's next state: delivered, the next attempt, or dead. Times are by the clock of the institution; the receiver's `Retry-After` is by the real one. */
export function classifyAttempt(delivery: ClaimedDelivery, reason: AttemptReason, startedAt: Date, outcome: Outcome, random: number): RecordedAttempt {
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
    status: outcome.responseCode === goneStatusCode ? 'dead' : after.status,
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
