import type { InstitutionScope } from '../database';
import type { DeliveryStatus } from '../entities/delivery';
import { statement } from '../statement';

// Every open deadline moves by the pause, or by what its delivery saw of it. What an open circuit holds stays held.
const release = (endpoints: string): string =>
  `WITH resumed AS (
     SELECT id, circuit FROM webhook_endpoints WHERE institution_id = $1 AND ${endpoints}
   ), locked AS (
     SELECT d.id, d.status = 'held' AND resumed.circuit = 'closed' AS is_released FROM webhook_deliveries d JOIN resumed ON resumed.id = d.endpoint_id
      WHERE d.status IN ('pending', 'held', 'retrying') ORDER BY d.id FOR NO KEY UPDATE OF d
   )
   UPDATE webhook_deliveries d
      SET status = CASE WHEN is_released THEN 'pending' ELSE d.status END, held_at = CASE WHEN NOT is_released THEN d.held_at END,
          next_attempt_at = CASE WHEN NOT is_released THEN d.next_attempt_at END,
          deadline_at = d.deadline_at + greatest($2::timestamptz - greatest($3::timestamptz, d.created_at), interval '0')
     FROM locked WHERE d.id = locked.id`;

const releaseOfEndpoint = statement('deliveries_release_of_endpoint', release('id = $4'));
const releaseOfInstitution = statement('deliveries_release_of_institution', release("status = 'active' AND deleted_at IS NULL"));

// A pause does not count as failing; a circuit that is still open is probed at once.
const resume = (endpoints: string): string =>
  `UPDATE webhook_endpoints
      SET failing_since = failing_since + greatest($2::timestamptz - greatest($3::timestamptz, failing_since), interval '0'),
          probe_at = CASE WHEN circuit = 'open' THEN $2 END
    WHERE institution_id = $1 AND ${endpoints}`;

const resumeEndpoint = statement('endpoint_resume', resume('id = $4'));
const resumeOfInstitution = statement('endpoints_resume_of_institution', resume("status = 'active' AND deleted_at IS NULL"));

/** Lets the held deliveries of an endpoint that was paused go to the sender; its deadlines stood still meanwhile. */
export async function releaseHeldDeliveries(scope: InstitutionScope, endpointId: string, pausedAt: Date, now: Date): Promise<void> {
  await scope.sql(resumeEndpoint, [scope.institutionId, now, pausedAt, endpointId]);
  await scope.sql(releaseOfEndpoint, [scope.institutionId, now, pausedAt, endpointId]);
}

/** The same for every active endpoint of an institution that was suspended; those paused themselves keep theirs. */
export async function releaseInstitutionDeliveries(scope: InstitutionScope, suspendedAt: Date, now: Date): Promise<void> {
  await scope.sql(resumeOfInstitution, [scope.institutionId, now, suspendedAt]);
  await scope.sql(releaseOfInstitution, [scope.institutionId, now, suspendedAt]);
}

/** An open delivery that was ended, and whether a workflow of its own waits to attempt it again. */
export interface EndedDelivery {
  id: string;
  cycle: number;
  has_workflow: boolean;
}

// Each branch walks an index of its own; rows are locked before their status is believed.
const endOpen = statement(
  'endpoint_end_open',
  `WITH picked AS (
     (SELECT id FROM webhook_deliveries WHERE endpoint_id = $2 AND status IN ('retrying', 'held') LIMIT $3)
     UNION ALL
     (SELECT id FROM webhook_deliveries WHERE endpoint_id = $2 AND status = 'pending' AND claimed_by IS NULL LIMIT $3)
     UNION ALL
     (SELECT id FROM webhook_deliveries WHERE endpoint_id = $2 AND status = 'pending' AND claimed_by IS NOT NULL LIMIT $3)
   ), locked AS (
     SELECT id, status FROM webhook_deliveries
      WHERE institution_id = $1 AND id = ANY (ARRAY(SELECT id FROM picked LIMIT $3)) AND status IN ('pending', 'retrying', 'held')
      ORDER BY id FOR NO KEY UPDATE
   )
   UPDATE webhook_deliveries d
      SET status = $4, next_attempt_at = NULL, held_at = NULL, claimed_by = NULL, claimed_until = NULL
     FROM locked
    WHERE d.id = locked.id
   RETURNING d.id, d.cycle, locked.status = 'retrying' AND d.retried_by = 'workflow' AS has_workflow`,
);

/** Ends up to `limit` open deliveries of an endpoint; attempts in flight will find their claim gone. */
export function endOpenDeliveries(
  scope: InstitutionScope,
  endpointId: string,
  status: 'cancelled' | 'dead',
  limit: number,
): Promise<EndedDelivery[]> {
  return scope.sql(endOpen, [scope.institutionId, endpointId, limit, status]);
}

const waiter = statement(
  'delivery_waiter',
  `SELECT d.status, d.cycle, d.retried_by, e.id AS endpoint_id, e.backlog_open, e.backlog_run
     FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
    WHERE d.institution_id = $1 AND d.id = $2 FOR NO KEY UPDATE OF d`,
);

/** An open delivery as somebody is about to interfere with it: who waits for its next attempt. */
export interface WaitedDelivery {
  status: DeliveryStatus;
  cycle: number;
  retried_by: 'workflow' | 'backlog' | null;
  endpoint_id: string;
  backlog_open: boolean;
  backlog_run: number;
}

/** Locks a delivery and answers who waits for its next attempt; undefined when the institution has none of that id. */
export async function lockWaiting(scope: InstitutionScope, id: string): Promise<WaitedDelivery | undefined> {
  const [row] = await scope.sql<WaitedDelivery>(waiter, [scope.institutionId, id]);
  return row;
}
