import type { RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import type { ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import type { Sql } from '../../db/statement';

/** A delivery, and the table where it is. */
export interface PlacedDelivery {
  id: string;
  event_id: string;
  endpoint_id: string;
  status: string;
  place: 'open_deliveries' | 'webhook_deliveries';
}

/** All rows of an institution's deliveries, in both tables. */
export const placedDeliveries = (sql: Sql, institutionId: string): Promise<PlacedDelivery[]> =>
  sql(`SELECT id, event_id, endpoint_id, status, place
     FROM (SELECT *, 'open_deliveries' AS place FROM open_deliveries UNION ALL SELECT *, 'webhook_deliveries' FROM webhook_deliveries) d
    WHERE institution_id = $1 ORDER BY event_created_at, id`, [institutionId]);

type Attempted = Pick<ClaimedDelivery, 'id' | 'institution_id' | 'endpoint_id' | 'event_type' | 'cycle' | 'attempts' | 'schedule_step'>;

/** A delivery before its first attempt. */
export const unsentDelivery: Attempted = { id: 'whd', institution_id: 'ins', endpoint_id: 'we', event_type: 'exam.graded', cycle: 1, attempts: 0, schedule_step: 0 };

/** The next attempt of a claimed delivery, as it ended. */
export function attemptOf({ id, institution_id, endpoint_id, event_type, cycle, attempts, schedule_step }: Attempted, status: RecordedAttempt['status']): RecordedAttempt {
  const at = new Date();
  const delivered = status === 'delivered';
  return {
    delivery_id: id,
    institution_id,
    endpoint_id,
    event_type,
    cycle,
    number: attempts + 1,
    started_at: at,
    ended_at: at,
    duration_ms: 5,
    connect_ms: null,
    response_code: delivered ? 200 : 500,
    error_class: delivered ? null : 'http',
    error: null,
    response_body: null,
    resent: false,
    status,
    next_attempt_at: status === 'retrying' ? at : null,
    schedule_step: schedule_step + 1,
    asked_until: null,
    retry_workflow: status === 'retrying' ? { kind: 'signal', name: 'look', workflowId: id, argument: {} } : null,
  };
}
