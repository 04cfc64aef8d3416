import { In, IsNull } from 'typeorm';
import type { InstitutionScope } from '../../database';
import { EndpointEntity, type EndpointStatus } from '../../entities/endpoint';
import { entityManager, ownRow } from '../../entityManager';
import { newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';

/** An endpoint and whose it is. */
export interface EndpointReference {
  endpointId: string;
  institutionId: string;
}

const notDeleted = { deletedAt: IsNull() };

/** A webhook endpoint of the institution that has not been deleted. */
export async function findEndpoint(scope: InstitutionScope, id: string): Promise<EndpointEntity | undefined> {
  return (await scope[entityManager].findOneBy(EndpointEntity, { ...ownRow(scope, id), ...notDeleted })) ?? undefined;
}

/** The same inside a transaction, read under the lock of its row. */
export async function lockEndpoint(scope: InstitutionScope, id: string): Promise<EndpointEntity | undefined> {
  const where = { ...ownRow(scope, id), ...notDeleted };
  return (await scope[entityManager].findOne(EndpointEntity, { where, lock: { mode: 'for_no_key_update' } })) ?? undefined;
}

/** One page of the institution's webhook endpoints, newest first. */
export async function listEndpoints(scope: InstitutionScope, page: Page): Promise<PageOf<EndpointEntity>> {
  const { institutionId } = scope;
  const conditions = [{ sql: 'w.institution_id = $ AND w.deleted_at IS NULL', value: institutionId }];
  const { rows, ...rest } = await readPage<{ id: string }>(scope.sql, { columns: 'w.id', from: 'webhook_endpoints w', conditions, order: newestFirst('w.created_at', 'w.id') }, page);
  const where = { institutionId, id: In(rows.map(({ id }) => id)), ...notDeleted };
  return { rows: await scope[entityManager].find(EndpointEntity, { where, order: { createdAt: 'DESC', id: 'DESC' } }), ...rest };
}

/** How many webhook endpoints the institution has that are not deleted; counted against a limit under its lock. */
export function countEndpoints(scope: InstitutionScope): Promise<number> {
  return scope[entityManager].countBy(EndpointEntity, { institutionId: scope.institutionId, ...notDeleted });
}

/** Writes a new endpoint of the institution and returns it. */
export async function insertEndpoint(scope: InstitutionScope, endpoint: Omit<EndpointEntity, 'institutionId'>): Promise<EndpointEntity> {
  const row = { ...endpoint, institutionId: scope.institutionId };
  await scope[entityManager].insert(EndpointEntity, row);
  return row;
}

/** The columns of an endpoint that commands change. */
export type EndpointColumnChanges = Partial<Omit<EndpointEntity, 'id' | 'institutionId' | 'createdAt' | 'updatedAt'>>;

/** Changes a locked endpoint; columns left out stay. */
export async function updateEndpointRow(scope: InstitutionScope, id: string, changes: EndpointColumnChanges, now: Date): Promise<void> {
  await scope[entityManager].update(EndpointEntity, ownRow(scope, id), { ...changes, updatedAt: now });
}

// Rows that are not deleted are few; those that are leave after their time, and are found by when they were deleted.
const createdRecently = statement(
  'endpoints_created_recently',
  `SELECT created_at FROM (
     SELECT created_at FROM webhook_endpoints WHERE institution_id = $1 AND deleted_at IS NULL AND created_at > now() - interval '1 hour'
     UNION ALL
     SELECT created_at FROM webhook_endpoints WHERE institution_id = $1 AND deleted_at > now() - interval '1 hour' AND created_at > now() - interval '1 hour') AS recent
    ORDER BY created_at DESC OFFSET $2 LIMIT 1`,
);

/**
 * When the institution has created `most` endpoints in the last hour, deleted ones among them, the time from which it may create
 * another; undefined when it may now. Counted under its lock.
 */
export async function nextCreationAt(scope: InstitutionScope, limit: number): Promise<Date | undefined> {
  const [row] = await scope.sql<{ created_at: Date }>(createdRecently, [scope.institutionId, limit - 1]);
  return row === undefined ? undefined : new Date(row.created_at.getTime() + 3_600_000);
}

const stampCreatedAt = statement(
  'endpoint_born',
  `WITH clock AS (
     UPDATE event_clocks SET last_ms = greatest(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, last_ms + 1)
      WHERE institution_id = $1 RETURNING 'epoch'::timestamptz + last_ms * interval '1 millisecond' AS at
   )
   UPDATE webhook_endpoints SET created_at = clock.at FROM clock WHERE institution_id = $1 AND id = $2 RETURNING created_at`,
);

/**
 * Stamps the creation of an endpoint as an event is stamped, by the institution's event clock: it takes exactly the events that are
 * committed after it, regardless of this machine's clock. The last statement of its transaction: other events wait for the commit.
 */
export async function stampCreation(scope: InstitutionScope, id: string): Promise<Date> {
  const [row] = await scope.sql<{ created_at: Date }>(stampCreatedAt, [scope.institutionId, id]);
  if (row === undefined) throw new Error('The institution has no event clock');
  return row.created_at;
}

const lockInstitutionForShare = statement('institution_share', 'SELECT 1 FROM institutions WHERE id = $1 FOR SHARE');
const lockStatus = statement(
  'endpoint_keep',
  'SELECT status, deleted_at IS NOT NULL AS deleted FROM webhook_endpoints WHERE institution_id = $1 AND id = $2 FOR NO KEY UPDATE',
);

const lockStatusForShare = statement('endpoint_share', lockStatus.text.replace('FOR NO KEY UPDATE', 'FOR SHARE'));

/** What an endpoint, deleted or not, is now and stays until the end of the transaction; `shared` with others that only need it to stay so. */
export async function lockEndpointStatus(
  scope: InstitutionScope,
  id: string,
  { shared = false } = {},
): Promise<{ status: EndpointStatus; deleted: boolean } | undefined> {
  // The institution first, as everywhere; its row is only shared, so that institutions do not wait for their own replays.
  await scope.sql(lockInstitutionForShare, [scope.institutionId]);
  const [row] = await scope.sql<{ status: EndpointStatus; deleted: boolean }>(shared ? lockStatusForShare : lockStatus, [scope.institutionId, id]);
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

const setReplayAskedAt = statement(
  'endpoint_note_replay',
  'UPDATE webhook_endpoints SET replay_asked_at = $3 WHERE institution_id = $1 AND id = $2 AND (replay_asked_at IS NULL OR replay_asked_at <= $4) RETURNING id',
);

/** Keeps that the dead deliveries of an endpoint are asked to be replayed; false when they were after `since`. */
export async function recordReplayRequest(scope: InstitutionScope, endpointId: string, now: Date, since: Date): Promise<boolean> {
  return (await scope.sql(setReplayAskedAt, [scope.institutionId, endpointId, now, since])).length > 0;
}

const recentAttempts = statement(
  'endpoint_recent_attempts',
  `SELECT count(*)::int AS attempts FROM (
     SELECT 1 FROM webhook_attempts a JOIN webhook_endpoints e ON e.id = a.endpoint_id
      WHERE e.institution_id = $1 AND a.endpoint_id = $2 AND a.started_at > $3 LIMIT $4) AS recent`,
);

/** How many attempts an endpoint had after `since`, counted up to `most`. */
export async function countAttemptsSince(scope: InstitutionScope, endpointId: string, since: Date, limit: number): Promise<number> {
  const [row] = await scope.sql<{ attempts: number }>(recentAttempts, [scope.institutionId, endpointId, since, limit]);
  return row?.attempts ?? 0;
}
