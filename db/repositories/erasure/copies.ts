import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

const batches = statement('erasure_batches', 'SELECT id FROM provisioning_batches WHERE institution_id = $1 AND id > $2 ORDER BY id LIMIT $3');

/** The ids of at most `limit` bulk calls of the institution, after an id. */
export async function listBatches(scope: InstitutionScope, after: string, limit: number): Promise<string[]> {
  return (await scope.sql<{ id: string }>(batches, [scope.institutionId, after, limit])).map(({ id }) => id);
}

/** What rows of bulk calls are searched for. */
export interface ProvisionedSubject {
  personId: string;
  /** Former and new login email; empty if there is none. */
  loginEmail: string;
  newLoginEmail: string;
  fullName: string | null;
  externalId: string | null;
}

const rows = statement(
  'erasure_provisioning_rows',
  `UPDATE provisioning_rows SET full_name = NULL, external_id = NULL, login_email = CASE WHEN user_id = $3 THEN $5 ELSE login_email END,
          message = replace(message, $4, $5), existing = replace(existing::text, $4, $5)::jsonb
    WHERE institution_id = $1 AND batch_id = ANY ($2::text[])
      AND (user_id = $3 OR existing ->> 'id' = $3 OR strpos(message, $4) > 0 OR error IS NOT NULL AND (external_id = $6 OR full_name = $7))
      AND (full_name IS NOT NULL OR external_id IS NOT NULL OR strpos(login_email, $4) > 0 OR strpos(message, $4) > 0 OR strpos(existing::text, $4) > 0)
   RETURNING 1`,
);

/** Removes what the rows of these bulk calls say of a person, also of failed tries to create them; returns how many. */
export async function eraseProvisioningRows(scope: InstitutionScope, batchIds: readonly string[], subject: ProvisionedSubject): Promise<number> {
  const { personId, loginEmail, newLoginEmail, fullName, externalId } = subject;
  return (await scope.sql(rows, [scope.institutionId, batchIds, personId, loginEmail, newLoginEmail, externalId, fullName])).length;
}

/** A chunk of events: until when, and those whose body has the text; `until` is null after the last, which has fewer than asked for. */
export interface EventChunk {
  until: Date | null;
  ids: string[];
}

const events = statement(
  'erasure_events',
  `WITH part AS (
     SELECT id, created_at, body FROM events WHERE institution_id = $1 AND created_at > $2 ORDER BY created_at LIMIT $4
   )
   SELECT CASE WHEN count(*) = $4 THEN max(created_at) END AS until, coalesce(array_agg(id) FILTER (WHERE strpos(body, $3) > 0), '{}') AS ids FROM part`,
);

/** Searches the next `limit` events of the institution for a text. */
export async function searchEvents(scope: InstitutionScope, text: string, after: Date | '-infinity', limit: number): Promise<EventChunk> {
  const [row] = await scope.sql<EventChunk>(events, [scope.institutionId, after, text, limit]);
  return row ?? { until: null, ids: [] };
}

const bodies = statement('erasure_event_bodies', 'UPDATE events SET body = replace(body, $3, $4) WHERE institution_id = $1 AND id = ANY ($2::text[]) RETURNING 1');

/** Replaces a text in the bodies of events; returns how many. */
export async function replaceInEvents(scope: InstitutionScope, ids: readonly string[], text: string, by: string): Promise<number> {
  return (await scope.sql(bodies, [scope.institutionId, ids, text, by])).length;
}

const deliveries = statement('erasure_deliveries', 'SELECT id, created_at FROM deliveries WHERE institution_id = $1 AND (created_at, id) > ($2, $3) ORDER BY created_at, id LIMIT $4');

/** At most `limit` deliveries of the institution, after a position. */
export function listDeliveriesAfter(scope: InstitutionScope, after: { createdAt: Date | '-infinity'; id: string }, limit: number): Promise<{ id: string; created_at: Date }[]> {
  return scope.sql(deliveries, [scope.institutionId, after.createdAt, after.id, limit]);
}

/** An attempt at a delivery. */
export interface AttemptKey {
  delivery_id: string;
  number: number;
}

// A receiver may answer with what it was sent, or with what it knows of the person.
const attempts = statement(
  'erasure_response_bodies',
  `SELECT a.delivery_id, a.number FROM webhook_attempts a JOIN deliveries d ON d.id = a.delivery_id
    WHERE a.institution_id = $1 AND a.delivery_id = ANY ($2::text[]) AND a.response_body IS NOT NULL
      AND (EXISTS (SELECT 1 FROM unnest($3::text[]) AS t (text) WHERE strpos(a.response_body, t.text) > 0)
        OR EXISTS (SELECT 1 FROM events e JOIN unnest($4::text[]) AS t (id) ON strpos(e.body, t.id) > 0 WHERE e.id = d.event_id))`,
);

/** Those attempts at these deliveries whose response has one of the texts, or whose event has one of the ids. */
export function searchResponseBodies(scope: InstitutionScope, deliveryIds: readonly string[], texts: readonly string[], ids: readonly string[]): Promise<AttemptKey[]> {
  return scope.sql(attempts, [scope.institutionId, deliveryIds, texts, ids]);
}

const removeBodies = statement(
  'erasure_remove_response_bodies',
  `UPDATE webhook_attempts a SET response_body = NULL FROM unnest($2::text[], $3::integer[]) AS k (delivery_id, number)
    WHERE a.institution_id = $1 AND a.delivery_id = k.delivery_id AND a.number = k.number RETURNING 1`,
);

/** Removes the responses of attempts; returns how many. */
export async function eraseResponseBodies(scope: InstitutionScope, keys: readonly AttemptKey[]): Promise<number> {
  return (await scope.sql(removeBodies, [scope.institutionId, keys.map(({ delivery_id }) => delivery_id), keys.map(({ number }) => number)])).length;
}

/** A response stored for an idempotency key. */
export interface StoredResponseRow {
  key: string;
  response_sealed: string;
}

const responses = statement('erasure_stored_responses', 'SELECT key, response_sealed FROM idempotency_keys WHERE institution_id = $1 AND key > $2 ORDER BY key LIMIT $3');

/** At most `limit` stored responses of the institution, after a key. */
export function listStoredResponses(scope: InstitutionScope, after: string, limit: number): Promise<StoredResponseRow[]> {
  return scope.sql(responses, [scope.institutionId, after, limit]);
}

const lock = statement('erasure_lock_response', 'SELECT key, response_sealed FROM idempotency_keys WHERE institution_id = $1 AND key = $2 FOR UPDATE');

/** The response stored for an idempotency key, under a lock. */
export async function lockStoredResponse(scope: InstitutionScope, key: string): Promise<StoredResponseRow | undefined> {
  const [row] = await scope.sql<StoredResponseRow>(lock, [scope.institutionId, key]);
  return row;
}

const rewrite = statement('erasure_rewrite_response', 'UPDATE idempotency_keys SET response_sealed = $3 WHERE institution_id = $1 AND key = $2 RETURNING 1');

/** Replaces a locked response; returns how many. */
export async function rewriteStoredResponse(scope: InstitutionScope, key: string, rewritten: string): Promise<number> {
  return (await scope.sql(rewrite, [scope.institutionId, key, rewritten])).length;
}
