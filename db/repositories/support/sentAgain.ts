import type { InstitutionScope } from '../../database';
import { changeColumns, listCreations, type AuditedChange } from '../auditLog/auditLog';
import { statement } from '../../statement';

/** The deliveries of one event type that a recovery or a replay of dead deliveries has sent, and when their events happened. */
export interface SentType {
  event_type: string;
  count: number;
  first_event_at: Date;
  last_event_at: Date;
}

const sentTypes = statement(
  'support_sent_types',
  `SELECT d.event_type, count(*)::int AS count, min(d.event_created_at) AS first_event_at, max(d.event_created_at) AS last_event_at
     FROM (SELECT delivery_id FROM webhook_replays WHERE institution_id = $1 AND ref = $2 LIMIT $3) r
     JOIN deliveries d ON d.id = r.delivery_id GROUP BY d.event_type ORDER BY count DESC, d.event_type`,
);

/** Returns what was sent under a ref, by event type, of at most `limit` of its deliveries. */
export function listSentTypes(scope: InstitutionScope, ref: string, limit: number): Promise<SentType[]> {
  return scope.sql(sentTypes, [scope.institutionId, ref, limit]);
}

/** Returns the calls that began some recoveries and replays of dead deliveries, by the id of each; those that the audit log does not have are left out. */
export async function findBeginnings(scope: InstitutionScope, ids: readonly string[]): Promise<ReadonlyMap<string, AuditedChange>> {
  const calls = await listCreations(scope, ['recoverDeliveries', 'replayDeadDeliveries'], ids);
  return new Map(calls.flatMap((call): [string, AuditedChange][] => (typeof call.target.created === 'string' ? [[call.target.created, call]] : [])));
}

/** How many single replays without a ref are read at once. */
export const maxSingleReplays = 20;

const singleReplays = statement(
  'support_single_replays',
  `SELECT ${changeColumns} FROM audit_log
    WHERE institution_id = $1 AND operation = 'replayDelivery' AND $2 IN (SELECT value FROM jsonb_each_text(target)) AND NOT 'ref' = ANY (changed) ORDER BY at DESC, id DESC LIMIT ${maxSingleReplays}`,
);

/** Returns the calls that replayed a delivery by itself and without a ref, newest first, at most 20. */
export function listSingleReplays(scope: InstitutionScope, deliveryId: string): Promise<AuditedChange[]> {
  return scope.sql(singleReplays, [scope.institutionId, deliveryId]);
}
