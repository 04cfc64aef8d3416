import { IsNull } from 'typeorm';
import type { InstitutionScope } from '../database';
import { EndpointEntity, type EndpointStatus } from '../entities/endpoint';
import type { Page } from '../page';
import { statement } from '../statement';

/** An endpoint and whose it is. */
export interface EndpointReference {
  endpointId: string;
  institutionId: string;
}

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

const institution = statement('institution_share', 'SELECT 1 FROM institutions WHERE id = $1 FOR SHARE');
const keep = statement(
  'endpoint_keep',
  'SELECT status, deleted_at IS NOT NULL AS deleted FROM webhook_endpoints WHERE institution_id = $1 AND id = $2 FOR NO KEY UPDATE',
);

/** What an endpoint, deleted or not, is now and stays until the end of the transaction. */
export async function keepEndpoint(scope: InstitutionScope, id: string): Promise<{ status: EndpointStatus; deleted: boolean } | undefined> {
  // The institution first, as everywhere; its row is only shared, so that institutions do not wait for their own replays.
  await scope.sql(institution, [scope.institutionId]);
  const [row] = await scope.sql<{ status: EndpointStatus; deleted: boolean }>(keep, [scope.institutionId, id]);
  return row;
}

const openBacklogsOfInstitution = statement(
  'endpoints_with_backlog',
  'SELECT id, backlog_run AS run FROM webhook_endpoints WHERE institution_id = $1 AND backlog_open AND ($2::text IS NULL OR id = $2)',
);

/** The backlogs under way of one endpoint, or of all of the institution's without one named. */
export function findOpenBacklogs(scope: InstitutionScope, endpointId: string | null): Promise<{ id: string; run: number }[]> {
  return scope.sql(openBacklogsOfInstitution, [scope.institutionId, endpointId]);
}

const noteReplay = statement(
  'endpoint_note_replay',
  'UPDATE webhook_endpoints SET replay_asked_at = $3 WHERE institution_id = $1 AND id = $2 AND (replay_asked_at IS NULL OR replay_asked_at <= $4) RETURNING id',
);

/** Keeps that the dead deliveries of an endpoint are asked to be replayed; false when they were after `since`. */
export async function noteReplayAsked(scope: InstitutionScope, endpointId: string, now: Date, since: Date): Promise<boolean> {
  return (await scope.sql(noteReplay, [scope.institutionId, endpointId, now, since])).length > 0;
}

const recentAttempts = statement(
  'endpoint_recent_attempts',
  `SELECT count(*)::int AS attempts FROM (
     SELECT 1 FROM webhook_attempts a JOIN webhook_endpoints e ON e.id = a.endpoint_id
      WHERE e.institution_id = $1 AND a.endpoint_id = $2 AND a.started_at > $3 LIMIT $4) AS recent`,
);

/** How many attempts an endpoint had after `since`, counted up to `most`. */
export async function countAttemptsSince(scope: InstitutionScope, endpointId: string, since: Date, most: number): Promise<number> {
  const [row] = await scope.sql<{ attempts: number }>(recentAttempts, [scope.institutionId, endpointId, since, most]);
  return row?.attempts ?? 0;
}
