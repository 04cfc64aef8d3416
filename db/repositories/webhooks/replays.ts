import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

const replayByRef = statement('delivery_replay_by_ref', 'SELECT 1 FROM webhook_replays WHERE institution_id = $1 AND delivery_id = $2 AND ref = $3');

/** Whether a delivery has been replayed under this ref. */
export async function wasReplayed(scope: InstitutionScope, deliveryId: string, ref: string): Promise<boolean> {
  return (await scope.sql(replayByRef, [scope.institutionId, deliveryId, ref])).length > 0;
}

/**
 * SQL that moves deliveries from `ended`, their deleted rows, to the open ones. It opens a new cycle, whose first attempt is due
 * immediately; attempt numbers continue, also after one that was in flight when the delivery ended and was recorded without changing it.
 */
const openNewCycle = (deadlineAt: string): string =>
  `INSERT INTO open_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, cycle, attempts, deadline_at, created_at, rest_added_at)
   SELECT d.id, d.institution_id, d.endpoint_id, d.event_id, d.event_type, d.event_created_at, 'pending', d.cycle + 1,
          greatest(d.attempts, (SELECT max(number) FROM webhook_attempts WHERE delivery_id = d.id)), ${deadlineAt}::timestamptz, d.created_at,
          (SELECT rest_ended_at FROM webhook_endpoints WHERE id = d.endpoint_id)
     FROM ended d`;

const openCycle = statement(
  'delivery_open_cycle',
  `WITH ended AS (DELETE FROM webhook_deliveries d WHERE d.institution_id = $1 AND d.id = $2 RETURNING d.*) ${openNewCycle('$3')} RETURNING cycle`,
);

/** Opens a new cycle of attempts, which is dead at `deadlineAt` if no attempt begins before. Returns its number. */
export async function openDeliveryCycle(scope: InstitutionScope, id: string, deadlineAt: Date): Promise<number> {
  const [row] = await scope.sql<{ cycle: number }>(openCycle, [scope.institutionId, id, deadlineAt]);
  if (row === undefined) throw new Error('The delivery vanished under its lock');
  return row.cycle;
}

const insertReplay = statement(
  'delivery_note_replay',
  'INSERT INTO webhook_replays (institution_id, delivery_id, ref, cycle, created_at) VALUES ($1, $2, $3, $4, $5)',
);

/** Records the ref under which a cycle was opened. */
export async function recordDeliveryReplay(scope: InstitutionScope, deliveryId: string, ref: string, cycle: number, now: Date): Promise<void> {
  await scope.sql(insertReplay, [scope.institutionId, deliveryId, ref, cycle, now]);
}

/** A ref under which a delivery was sent: of a recovery (`rcv_…`), of a replay of dead deliveries (`rpl_…`), or its caller's own. */
export interface DeliveryRef {
  delivery_id: string;
  ref: string;
  /** The cycle that it opened. */
  cycle: number;
  created_at: Date;
}

/** How many refs are read at once: a caller may replay a delivery under any number of them. */
export const maxRefs = 200;

const refsOf = statement(
  'delivery_replay_refs',
  `SELECT delivery_id, ref, cycle, created_at FROM webhook_replays WHERE institution_id = $1 AND delivery_id = ANY ($2::text[]) ORDER BY created_at DESC, ref DESC LIMIT ${maxRefs}`,
);

/** Returns the refs under which deliveries of the institution were sent, newest first, at most 200; a replay without a ref has none. */
export function listReplayRefs(scope: InstitutionScope, deliveryIds: readonly string[]): Promise<DeliveryRef[]> {
  return deliveryIds.length === 0 ? Promise.resolve([]) : scope.sql<DeliveryRef>(refsOf, [scope.institutionId, deliveryIds]);
}

/** The dead deliveries of an endpoint that were created after `since` and up to `until`, of some types or responses if they are given. */
export interface DeadRange {
  endpointId: string;
  since: Date;
  until: Date;
  eventTypes?: readonly string[] | undefined;
  /** Status codes of the last attempt's response, or classes such as `5xx`. */
  responseCodes?: readonly string[] | undefined;
}

const deadOfInstitution = (since: string, until: string, types: string, codes: string): string => `d.institution_id = $1 AND d.status = 'dead' AND d.created_at > ${since} AND d.created_at <= ${until}
  AND (${types}::text[] IS NULL OR d.event_type = ANY (${types}))
  AND (${codes}::text[] IS NULL OR d.response_code::text = ANY (${codes}) OR d.response_code / 100 || 'xx' = ANY (${codes}))
  AND EXISTS (SELECT 1 FROM events e WHERE e.id = d.event_id)`;

const deadInRange = (types: string, codes: string): string => `d.endpoint_id = $2 AND ${deadOfInstitution('$3', '$4', types, codes)}`;

const countDead = `SELECT count(*)::int AS matched FROM webhook_deliveries d WHERE ${deadInRange('$5', '$6')}`;

/** Counts the dead deliveries in a range whose events still exist. */
export async function countDeadDeliveries(scope: InstitutionScope, { endpointId, since, until, eventTypes, responseCodes }: DeadRange): Promise<number> {
  const [row] = await scope.sql<{ matched: number }>(countDead, [scope.institutionId, endpointId, since, until, eventTypes ?? null, responseCodes ?? null]);
  return row?.matched ?? 0;
}

const countDeadOfEach = `SELECT d.endpoint_id, count(*)::int AS matched FROM webhook_deliveries d WHERE ${deadOfInstitution('$2', '$3', '$4', '$5')} GROUP BY d.endpoint_id`;

/** Counts the institution's dead deliveries in a range whose events still exist, by endpoint. */
export async function countDeadByEndpoint(scope: InstitutionScope, { since, until, eventTypes, responseCodes }: Omit<DeadRange, 'endpointId'>): Promise<Map<string, number>> {
  const rows = await scope.sql<{ endpoint_id: string; matched: number }>(countDeadOfEach, [scope.institutionId, since, until, eventTypes ?? null, responseCodes ?? null]);
  return new Map(rows.map(({ endpoint_id, matched }) => [endpoint_id, matched]));
}

/** A position in the order in which dead deliveries are replayed. */
export interface ReplayCursor {
  createdAt: Date;
  id: string;
}

// Rows are locked in the order of their ids, as everywhere, and before their status is checked; events first, so that none
// is pruned before its delivery is replayed.
const openDead =
  `WITH picked AS (
     SELECT d.id, d.created_at, d.event_id FROM webhook_deliveries d
      WHERE ${deadInRange('$11', '$12')} AND (d.created_at, d.id) > ($5, $6)
        AND NOT EXISTS (SELECT 1 FROM webhook_replays r WHERE r.delivery_id = d.id AND r.ref = $7)
      ORDER BY d.created_at, d.id LIMIT $8
   ), shared AS (
     SELECT id FROM events WHERE id = ANY (ARRAY(SELECT event_id FROM picked)) ORDER BY id FOR KEY SHARE
   ), locked AS (
     SELECT id FROM webhook_deliveries
      WHERE id = ANY (ARRAY(SELECT p.id FROM picked p JOIN shared s ON s.id = p.event_id)) AND status = 'dead' ORDER BY id FOR NO KEY UPDATE
   ), ended AS (
     DELETE FROM webhook_deliveries d USING locked WHERE d.id = locked.id RETURNING d.*
   ), opened AS (
     ${openNewCycle('$9')} RETURNING id, cycle
   ), noted AS (
     INSERT INTO webhook_replays (institution_id, delivery_id, ref, cycle, created_at) SELECT $1, id, $7, cycle, $10::timestamptz FROM opened
   )
   SELECT created_at AS "createdAt", id, (SELECT count(*)::int FROM opened) AS opened FROM picked ORDER BY created_at DESC, id DESC LIMIT 1`;

/**
 * Opens new cycles for up to `limit` dead deliveries of a range, oldest first after a position, and records them under
 * `ref`; no-op for those recorded under this ref. Returns the position reached and how many it opened; undefined at the end.
 */
export async function openDeadDeliveries(
  scope: InstitutionScope,
  { endpointId, since, until, eventTypes, responseCodes }: DeadRange,
  after: ReplayCursor,
  replay: { ref: string; limit: number; deadlineAt: Date; now: Date },
): Promise<(ReplayCursor & { opened: number }) | undefined> {
  const { ref, limit, deadlineAt, now } = replay;
  const values = [scope.institutionId, endpointId, since, until, after.createdAt, after.id, ref, limit, deadlineAt, now, eventTypes ?? null, responseCodes ?? null];
  const [cursor] = await scope.sql<ReplayCursor & { opened: number }>(openDead, values);
  return cursor;
}

const countReplays = statement('replays_of_ref', 'SELECT count(*)::int AS done FROM webhook_replays WHERE institution_id = $1 AND ref = $2');

/** Counts the institution's deliveries replayed under a ref. */
export async function countReplaysOf(scope: InstitutionScope, ref: string): Promise<number> {
  const [row] = await scope.sql<{ done: number }>(countReplays, [scope.institutionId, ref]);
  return row?.done ?? 0;
}
