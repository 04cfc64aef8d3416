import type { InstitutionScope } from '../../database';
import { endingStatement, lockInEitherTable } from './deliveryTables';
import { finalStatusByReason, openStatuses, type DeliveryStatus } from './deliveryStatus';
import { statement } from '../../statement';
import { acceptsDeliveries } from './sending';

/** SQL condition: the `status` of a delivery is an open one. */
export const statusIsOpen = `status IN (${openStatuses.map((status) => `'${status}'`).join(', ')})`;

/** SQL condition: the `status` of a delivery is an ended one. */
export const statusIsEnded = "status IN ('delivered', 'dead', 'cancelled')";

/** An open delivery that was ended, and whether a workflow of its own waits to retry it. */
export interface EndedDelivery {
  id: string;
  cycle: number;
  has_workflow: boolean;
}

// Each branch uses an index of its own; rows are locked before their status is checked.
const endOpen = statement(
  'endpoint_end_open',
  endingStatement({
    before: `picked AS (
     (SELECT id FROM open_deliveries WHERE endpoint_id = $2 AND status IN ('retrying', 'held') LIMIT $3)
     UNION ALL
     (SELECT id FROM open_deliveries WHERE endpoint_id = $2 AND status = 'pending' LIMIT $3)
   ), locked AS (
     SELECT id, status FROM open_deliveries
      WHERE institution_id = $1 AND id = ANY (ARRAY(SELECT id FROM picked LIMIT $3)) AND ${statusIsOpen}
      ORDER BY id FOR NO KEY UPDATE
   )`,
    from: 'locked',
    where: 'd.id = locked.id',
    changes: { status: '$4::text', end_reason: '$5::text', ended_at: '$6::timestamptz' },
    returning: { id: 'd.id', cycle: 'd.cycle', has_workflow: "locked.status = 'retrying' AND d.retried_by = 'workflow'" },
  }),
);

/** Ends up to `limit` open deliveries of an endpoint that was disabled or deleted; attempts in flight lose their claim. */
export function endOpenDeliveries(
  scope: Pick<InstitutionScope, 'institutionId' | 'sql'>,
  endpointId: string,
  reason: 'endpoint_disabled' | 'endpoint_deleted',
  limit: number,
  now: Date,
): Promise<EndedDelivery[]> {
  return scope.sql(endOpen, [scope.institutionId, endpointId, limit, finalStatusByReason[reason], reason, now]);
}

const retryStateFrom = (table: string): string =>
  `SELECT d.status, d.cycle, d.attempts, d.retried_by, e.id AS endpoint_id,
          ${acceptsDeliveries} AS is_taken
     FROM ${table} d JOIN webhook_endpoints e ON e.id = d.endpoint_id JOIN institutions i ON i.id = e.institution_id
    WHERE d.institution_id = $1 AND d.id = $2 FOR NO KEY UPDATE OF d`;
const lockOpen = statement('delivery_waiter_open', retryStateFrom('open_deliveries'));
const lockEnded = statement('delivery_waiter_ended', retryStateFrom('webhook_deliveries'));

/** An open delivery to be changed by a caller, and what will make its next attempt. */
export interface DeliveryRetryState {
  status: DeliveryStatus;
  cycle: number;
  attempts: number;
  retried_by: 'workflow' | 'backlog' | null;
  endpoint_id: string;
  /** Whether its endpoint accepts deliveries now: not paused, its circuit closed, the institution approved. */
  is_taken: boolean;
}

/** Locks a delivery and returns what will make its next attempt; undefined if the institution has no delivery with this id. */
export async function lockDeliveryRetryState(scope: InstitutionScope, id: string): Promise<DeliveryRetryState | undefined> {
  return lockInEitherTable(scope, id, (values) => scope.sql<DeliveryRetryState>(lockOpen, values), (values) => scope.sql<DeliveryRetryState>(lockEnded, values));
}
