import { IsNull } from 'typeorm';
import type { InstitutionScope } from '../database';
import { EndpointEntity, type EndpointStatus } from '../entities/endpoint';
import type { Page } from '../page';
import { statement } from '../statement';

const kept = { deletedAt: IsNull() };

/** A webhook endpoint of the institution that has not been deleted. */
export async function findEndpoint({ manager, institutionId }: InstitutionScope, id: string): Promise<EndpointEntity | undefined> {
  return (await manager.findOneBy(EndpointEntity, { id, institutionId, ...kept })) ?? undefined;
}

/** The same inside a transaction, read under the lock of its row. */
export async function lockEndpoint({ manager, institutionId }: InstitutionScope, id: string): Promise<EndpointEntity | undefined> {
  const where = { id, institutionId, ...kept };
  return (await manager.findOne(EndpointEntity, { where, lock: { mode: 'for_no_key_update' } })) ?? undefined;
}

/** One page of the institution's webhook endpoints, newest first. */
export async function listEndpoints({ manager, institutionId }: InstitutionScope, { page, limit }: Page): Promise<{ rows: EndpointEntity[]; total: number }> {
  const [rows, total] = await manager.findAndCount(EndpointEntity, {
    where: { institutionId, ...kept },
    order: { createdAt: 'DESC', id: 'DESC' },
    skip: (page - 1) * limit,
    take: limit,
  });
  return { rows, total };
}

/** How many webhook endpoints the institution has that are not deleted; counted against a limit under its lock. */
export function countEndpoints({ manager, institutionId }: InstitutionScope): Promise<number> {
  return manager.countBy(EndpointEntity, { institutionId, ...kept });
}

const share = statement(
  'endpoint_share',
  'SELECT status, deleted_at IS NOT NULL AS deleted FROM webhook_endpoints WHERE institution_id = $1 AND id = $2 FOR SHARE',
);

/** What an endpoint, deleted or not, is now and stays until the end of the transaction. */
export async function shareEndpoint(scope: InstitutionScope, id: string): Promise<{ status: EndpointStatus; deleted: boolean } | undefined> {
  const [row] = await scope.sql<{ status: EndpointStatus; deleted: boolean }>(share, [scope.institutionId, id]);
  return row;
}

// What was never attempted goes to the sender; what was is waited for by its workflow, which is told to look again.
const release = (endpoints: string): string =>
  `WITH locked AS (
     SELECT id, status FROM webhook_deliveries
      WHERE institution_id = $1 AND endpoint_id IN (${endpoints}) AND status IN ('held', 'retrying') ORDER BY id FOR NO KEY UPDATE
   ), released AS (
     UPDATE webhook_deliveries d
        SET status = CASE WHEN d.first_attempt_at IS NULL THEN 'pending' ELSE 'retrying' END,
            next_attempt_at = CASE WHEN locked.status = 'retrying' THEN d.next_attempt_at WHEN d.first_attempt_at IS NOT NULL THEN $2 END,
            deadline_at = d.deadline_at + greatest($2::timestamptz - greatest($3::timestamptz, d.created_at), interval '0')
       FROM locked WHERE d.id = locked.id
     RETURNING d.id, d.cycle, locked.status AS status_before, d.status
   )
   SELECT id, cycle FROM released WHERE status_before = 'held' AND status = 'retrying'`;

const releaseOfEndpoint = statement('deliveries_release_of_endpoint', release('$4'));
const releaseOfInstitution = statement(
  'deliveries_release_of_institution',
  release("SELECT id FROM webhook_endpoints WHERE institution_id = $1 AND status = 'active' AND deleted_at IS NULL"),
);

/** A delivery whose workflow waits for a signal. */
export interface WaitingDelivery {
  id: string;
  cycle: number;
}

/**
 * Lets the held deliveries of an endpoint go; every open deadline moves by the pause, or by what its delivery saw of
 * it. Answers those whose workflows wait to be told.
 */
export function releaseHeldDeliveries(scope: InstitutionScope, endpointId: string, pausedAt: Date, now: Date): Promise<WaitingDelivery[]> {
  return scope.sql(releaseOfEndpoint, [scope.institutionId, now, pausedAt, endpointId]);
}

/** The same for every active endpoint of an institution that was suspended; those paused themselves keep theirs. */
export function releaseInstitutionDeliveries(scope: InstitutionScope, suspendedAt: Date, now: Date): Promise<WaitingDelivery[]> {
  return scope.sql(releaseOfInstitution, [scope.institutionId, now, suspendedAt]);
}

/** An open delivery that was cancelled, and whether a workflow waits to attempt it again. */
export interface CancelledDelivery {
  id: string;
  cycle: number;
  is_retried: boolean;
}

// Each branch walks an index of its own; rows are locked before their status is believed.
const cancelOpen = statement(
  'endpoint_cancel_open',
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
      SET status = 'cancelled', next_attempt_at = NULL, claimed_by = NULL, claimed_until = NULL
     FROM locked
    WHERE d.id = locked.id
   RETURNING d.id, d.cycle, locked.status = 'retrying' OR (locked.status = 'held' AND d.first_attempt_at IS NOT NULL) AS is_retried`,
);

/** Cancels up to `limit` open deliveries of an endpoint; attempts in flight will find their claim gone. */
export function cancelOpenDeliveries(scope: InstitutionScope, endpointId: string, limit: number): Promise<CancelledDelivery[]> {
  return scope.sql(cancelOpen, [scope.institutionId, endpointId, limit]);
}
