import { In, IsNull } from 'typeorm';
import type { InstitutionScope } from '../../database';
import { EndpointEntity, type EndpointStatus } from '../../entities/endpoint';
import { entityManager, ownRow } from '../../entityManager';
import { onClock } from '../../institutionClock';
import { definedConditions, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';

/** An endpoint and its institution. */
export interface EndpointReference {
  endpointId: string;
  institutionId: string;
}

/** An endpoint that may be sent to, and how many deliveries per second it accepts; null without a limit. */
export interface SendableEndpoint extends EndpointReference {
  rateLimit: number | null;
}

/** One that has pending deliveries, none of an older event than `since` as far as is known. */
export interface PendingEndpoint extends SendableEndpoint {
  since: Date;
}

const notDeleted = { deletedAt: IsNull() };

/** A webhook endpoint of the institution that has not been deleted. */
export async function findEndpoint(scope: InstitutionScope, id: string): Promise<EndpointEntity | undefined> {
  return (await scope[entityManager]((manager) => manager.findOneBy(EndpointEntity, { ...ownRow(scope, id), ...notDeleted }))) ?? undefined;
}

/** The same inside a transaction: locks the row and reads it under the lock. */
export async function lockEndpoint(scope: InstitutionScope, id: string): Promise<EndpointEntity | undefined> {
  const where = { ...ownRow(scope, id), ...notDeleted };
  return (await scope[entityManager]((manager) => manager.findOne(EndpointEntity, { where, lock: { mode: 'for_no_key_update' } }))) ?? undefined;
}

/** The filters of a list of endpoints; undefined ones do not restrict. */
export interface EndpointFilter {
  status?: EndpointStatus | undefined;
  circuit?: EndpointEntity['circuit'] | undefined;
  /** Whether attempts have failed since the last success. */
  failing?: boolean | undefined;
}

/** One page of the institution's webhook endpoints, newest first. */
export async function listEndpoints(scope: InstitutionScope, page: Page, { status, circuit, failing }: EndpointFilter = {}): Promise<PageOf<EndpointEntity>> {
  const { institutionId } = scope;
  const conditions = definedConditions([
    { sql: 'w.institution_id = $ AND w.deleted_at IS NULL', value: institutionId },
    { sql: 'w.status = $', value: status },
    { sql: 'w.circuit = $', value: circuit },
    { sql: '(w.failing_since IS NOT NULL) = $', value: failing },
  ]);
  const { rows, ...rest } = await readPage<{ id: string }>(scope.sql, { columns: 'w.id', from: 'webhook_endpoints w', conditions, order: newestFirst('w.created_at', 'w.id') }, page);
  const where = { institutionId, id: In(rows.map(({ id }) => id)), ...notDeleted };
  return { rows: await scope[entityManager]((manager) => manager.find(EndpointEntity, { where, order: { createdAt: 'DESC', id: 'DESC' } })), ...rest };
}

/** Counts the institution's webhook endpoints that are not deleted; compared with the limit under the institution's lock. */
export function countEndpoints(scope: InstitutionScope): Promise<number> {
  return scope[entityManager]((manager) => manager.countBy(EndpointEntity, { institutionId: scope.institutionId, ...notDeleted }));
}

/** Inserts an endpoint of the institution and returns it. */
export async function insertEndpoint(scope: InstitutionScope, endpoint: Omit<EndpointEntity, 'institutionId'>): Promise<EndpointEntity> {
  const row = { ...endpoint, institutionId: scope.institutionId };
  await scope[entityManager]((manager) => manager.insert(EndpointEntity, row));
  return row;
}

/** The columns of an endpoint that commands change. */
export type EndpointColumnChanges = Partial<Omit<EndpointEntity, 'id' | 'institutionId' | 'createdAt' | 'updatedAt'>>;

/** Updates a locked endpoint; absent columns stay unchanged. */
export async function updateEndpointRow(scope: InstitutionScope, id: string, changes: EndpointColumnChanges, now: Date): Promise<void> {
  await scope[entityManager]((manager) => manager.update(EndpointEntity, ownRow(scope, id), { ...changes, updatedAt: now }));
}

// There are few rows that are not deleted; deleted ones are removed after the retention period, and found by their deletion
// time.
const createdRecently = statement(
  'endpoints_created_recently',
  `WITH clock AS MATERIALIZED (SELECT ${onClock('now()', 'clock_offset_ms')} - interval '1 hour' AS since FROM institutions WHERE id = $1)
   SELECT created_at FROM (
     SELECT created_at FROM webhook_endpoints, clock WHERE institution_id = $1 AND deleted_at IS NULL AND created_at > since
     UNION ALL
     SELECT created_at FROM webhook_endpoints, clock WHERE institution_id = $1 AND deleted_at > since AND created_at > since) AS recent
    ORDER BY created_at DESC OFFSET $2 LIMIT 1`,
);

/**
 * Returns the time from which the institution may create another endpoint, if it has created `limit` in the last hour,
 * including deleted ones; undefined if it may now. Counted under the institution's lock.
 */
export async function nextCreationAt(scope: InstitutionScope, limit: number): Promise<Date | undefined> {
  const [row] = await scope.sql<{ created_at: Date }>(createdRecently, [scope.institutionId, limit - 1]);
  return row === undefined ? undefined : new Date(row.created_at.getTime() + 3_600_000);
}

const stampCreatedAt = statement(
  'endpoint_born',
  "UPDATE webhook_endpoints SET created_at = 'epoch'::timestamptz + stamp_events($1, 1) * interval '1 millisecond' WHERE institution_id = $1 AND id = $2 RETURNING created_at",
);

/**
 * Sets an endpoint's creation time by the institution's event clock, like an event's: the endpoint gets exactly the events
 * committed after it, regardless of this machine's clock. Must be the last statement of its transaction, because other
 * events wait for the commit.
 */
export async function stampCreation(scope: Pick<InstitutionScope, 'institutionId' | 'sql'>, id: string): Promise<Date> {
  const [row] = await scope.sql<{ created_at: Date }>(stampCreatedAt, [scope.institutionId, id]);
  if (row === undefined) throw new Error('The endpoint is gone');
  return row.created_at;
}

const lockInstitutionForShare = statement('institution_share', 'SELECT 1 FROM institutions WHERE id = $1 FOR SHARE');
const lockStatus = statement(
  'endpoint_keep',
  'SELECT status, deleted_at IS NOT NULL AS deleted FROM webhook_endpoints WHERE institution_id = $1 AND id = $2 FOR NO KEY UPDATE',
);

const lockStatusForShare = statement('endpoint_share', lockStatus.text.replace('FOR NO KEY UPDATE', 'FOR SHARE'));

/** Locks an endpoint, deleted or not, and returns its present state; `shared` takes a share lock. */
export async function lockEndpointStatus(
  scope: InstitutionScope,
  id: string,
  { shared = false } = {},
): Promise<{ status: EndpointStatus; deleted: boolean } | undefined> {
  // The institution is locked first, as everywhere; with a share lock, so that replays of one institution do not wait for
  // each other.
  await scope.sql(lockInstitutionForShare, [scope.institutionId]);
  const [row] = await scope.sql<{ status: EndpointStatus; deleted: boolean }>(shared ? lockStatusForShare : lockStatus, [scope.institutionId, id]);
  return row;
}

const openBacklogsOfInstitution = statement(
  'endpoints_with_backlog',
  'SELECT id, backlog_run AS run FROM webhook_endpoints WHERE institution_id = $1 AND backlog_open AND ($2::text IS NULL OR id = $2)',
);

/** Returns the open backlogs of one endpoint, or of all of the institution's endpoints if none is named. */
export function findOpenBacklogs(scope: InstitutionScope, endpointId: string | null): Promise<{ id: string; run: number }[]> {
  return scope.sql(openBacklogsOfInstitution, [scope.institutionId, endpointId]);
}

const setReplayAskedAt = statement(
  'endpoint_note_replay',
  'UPDATE webhook_endpoints SET replay_asked_at = $3 WHERE institution_id = $1 AND id = $2 AND (replay_asked_at IS NULL OR replay_asked_at <= $4) RETURNING id',
);

/** Records that a replay of an endpoint's dead deliveries is requested; false if one was requested after `since`. */
export async function recordReplayRequest(scope: InstitutionScope, endpointId: string, now: Date, since: Date): Promise<boolean> {
  return (await scope.sql(setReplayAskedAt, [scope.institutionId, endpointId, now, since])).length > 0;
}

const recentAttempts = statement(
  'endpoint_recent_attempts',
  `SELECT count(*)::int AS attempts FROM (
     SELECT 1 FROM webhook_attempts a JOIN webhook_endpoints e ON e.id = a.endpoint_id
      WHERE e.institution_id = $1 AND a.endpoint_id = $2 AND a.started_at > $3 LIMIT $4) AS recent`,
);

/** Counts the attempts of an endpoint after `since`, up to `limit`. */
export async function countAttemptsSince(scope: InstitutionScope, endpointId: string, since: Date, limit: number): Promise<number> {
  const [row] = await scope.sql<{ attempts: number }>(recentAttempts, [scope.institutionId, endpointId, since, limit]);
  return row?.attempts ?? 0;
}
