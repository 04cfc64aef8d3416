import type { InstitutionScope } from '../database';
import { openStatuses, type DeliveryStatus } from '../entities/delivery';
import { statement } from '../statement';
import { takes } from './sending';

/** The `status` of a delivery is an open one; for SQL. */
export const statusIsOpen = `status IN (${openStatuses.map((status) => `'${status}'`).join(', ')})`;

const rest = statement(
  'endpoints_rest',
  `UPDATE webhook_endpoints e SET resting_since = $2 FROM institutions i
    WHERE i.id = e.institution_id AND e.institution_id = $1 AND ($3::text IS NULL OR e.id = $3)
      AND e.resting_since IS NULL AND e.deleted_at IS NULL AND e.status <> 'disabled' AND (e.status = 'paused' OR i.status <> 'approved')
   RETURNING e.id`,
);

/** Notes since when the endpoint, or all of the institution's without one named, rests: paused or suspended. One that rests already goes on. */
export async function restEndpoints(scope: InstitutionScope, endpointId: string | null, now: Date): Promise<string[]> {
  return (await scope.sql<{ id: string }>(rest, [scope.institutionId, now, endpointId])).map(({ id }) => id);
}

const resumed = `SELECT e.id, e.resting_since FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
  WHERE e.institution_id = $1 AND ($3::text IS NULL OR e.id = $3) AND e.resting_since IS NOT NULL AND e.deleted_at IS NULL
    AND e.status = 'active' AND i.status = 'approved'`;

// Every open deadline moves by the rest, or by what its delivery saw of it.
const moveDeadlines = statement(
  'deliveries_move_deadlines',
  `UPDATE webhook_deliveries d
      SET deadline_at = d.deadline_at + greatest($2::timestamptz - greatest(r.resting_since, d.created_at), interval '0')
     FROM (${resumed}) r
    WHERE d.endpoint_id = r.id AND d.${statusIsOpen}`,
);

// A rest does not count as failing; a circuit that is still open is probed at once.
const endRest = statement(
  'endpoints_end_rest',
  `UPDATE webhook_endpoints e
      SET failing_since = e.failing_since + greatest($2::timestamptz - greatest(r.resting_since, e.failing_since), interval '0'),
          probe_at = CASE WHEN e.circuit = 'open' THEN $2::timestamptz END, resting_since = NULL
     FROM (${resumed}) r WHERE e.id = r.id
   RETURNING e.id`,
);

/**
 * Ends the rest of the endpoint, or of all of the institution's without one named, where both take deliveries again: deadlines
 * and failing stood still meanwhile. Answers the endpoints.
 */
export async function endRests(scope: InstitutionScope, endpointId: string | null, now: Date): Promise<string[]> {
  const values = [scope.institutionId, now, endpointId];
  // As long as it takes: a backlog that is large must be resumed, too.
  await scope.sql("SET LOCAL statement_timeout = '10min'");
  await scope.sql(moveDeadlines, values);
  return (await scope.sql<{ id: string }>(endRest, values)).map(({ id }) => id);
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
      WHERE institution_id = $1 AND id = ANY (ARRAY(SELECT id FROM picked LIMIT $3)) AND ${statusIsOpen}
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
  `SELECT d.status, d.cycle, d.retried_by, e.id AS endpoint_id,
          ${takes} AS is_taken
     FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id JOIN institutions i ON i.id = e.institution_id
    WHERE d.institution_id = $1 AND d.id = $2 FOR NO KEY UPDATE OF d`,
);

/** An open delivery as somebody is about to interfere with it: who waits for its next attempt. */
export interface WaitedDelivery {
  status: DeliveryStatus;
  cycle: number;
  retried_by: 'workflow' | 'backlog' | null;
  endpoint_id: string;
  /** Whether its endpoint takes deliveries now: not paused, its circuit closed, the institution approved. */
  is_taken: boolean;
}

/** Locks a delivery and answers who waits for its next attempt; undefined when the institution has none of that id. */
export async function lockWaiting(scope: InstitutionScope, id: string): Promise<WaitedDelivery | undefined> {
  const [row] = await scope.sql<WaitedDelivery>(waiter, [scope.institutionId, id]);
  return row;
}
