import type { InstitutionScope } from '../../database';
import { listCreations, type AuditedChange } from '../auditLog/auditLog';
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
