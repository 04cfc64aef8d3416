import type { AttemptRow, DeliveryRow } from '../../../db/repositories/webhooks/deliveries';
import type { DeliveryRef } from '../../../db/repositories/webhooks/replays';
import { isoOrNull } from '../../http/request/fields';
import { presentEnvelope } from '../events/events.presenter';
import type { DeliveryResponse, DeliveryAttemptResponse, DeliveryRefResponse } from './deliveries.schemas';

/** A delivery, with the envelope that was or will be sent. */
export function presentDelivery(row: DeliveryRow): DeliveryResponse {
  return {
    id: row.id,
    event_id: row.event_id,
    event_type: row.event_type,
    endpoint_id: row.endpoint_id,
    status: row.status,
    attempts: row.attempts,
    response_code: row.response_code,
    error_class: row.error_class,
    next_attempt_at: isoOrNull(row.next_attempt_at),
    deadline_at: isoOrNull(row.deadline_at),
    created_at: row.created_at.toISOString(),
    delivered_at: isoOrNull(row.delivered_at),
    payload: row.payload === null ? null : presentEnvelope(row.payload),
  };
}

/** One attempt of the log. */
export function presentAttempt({ started_at, ...attempt }: AttemptRow): DeliveryAttemptResponse {
  return { ...attempt, started_at: started_at.toISOString() };
}

/** What sent a delivery again. */
export const presentDeliveryRef = ({ cycle, ref, created_at }: DeliveryRef): DeliveryRefResponse => ({ cycle, ref, at: created_at.toISOString() });
