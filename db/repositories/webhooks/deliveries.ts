import type { InstitutionScope } from '../../database';
import { openStatuses, type DeliveryStatus, type EndReason } from './deliveryStatus';
import { definedConditions, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { lockInEitherTable } from './deliveryTables';
import { wasLate } from './lateDeliveries';
import { responseCodeConditions } from './responseCodes';
import { statement } from '../../statement';
import type { ErrorClass } from './attempts';

/** A delivery with its event's envelope as JSON text; null once the event is pruned. */
export interface DeliveryRow {
  id: string;
  event_id: string;
  event_type: string;
  endpoint_id: string;
  status: DeliveryStatus;
  attempts: number;
  response_code: number | null;
  /** Where the last attempt failed; null after a success and before the first attempt of a cycle. */
  error_class: ErrorClass | null;
  next_attempt_at: Date | null;
  deadline_at: Date | null;
  created_at: Date;
  delivered_at: Date | null;
  cycle: number;
  ended_at: Date | null;
  end_reason: EndReason | null;
  payload: string | null;
}

const columns = `d.id, d.event_id, d.event_type, d.endpoint_id, d.status, d.attempts, d.response_code, d.error_class, d.next_attempt_at, d.deadline_at,
  d.created_at, d.delivered_at, d.cycle, d.ended_at, d.end_reason, e.body AS payload`;

const joins = 'LEFT JOIN events e ON e.id = d.event_id';

/** The filters of `GET /webhooks/deliveries`; undefined ones do not restrict. */
export interface DeliveryFilter {
  /** `open`: those that are not ended. */
  status?: DeliveryStatus | 'open' | undefined;
  endpoint_id?: string | undefined;
  event_id?: string | undefined;
  event_type?: string | undefined;
  /** A status code, or a class such as `5xx`. */
  response_code?: string | undefined;
  error_class?: ErrorClass | undefined;
  /** Whether they were delivered late, in their first cycle. */
  late?: boolean | undefined;
  /** The recovery (`rcv_…`) or replay (`rpl_…`) that sent them, or the ref of one. */
  sent_by?: string | undefined;
  /** Created after this moment, exclusively. */
  since?: Date | undefined;
  /** Created up to this moment, inclusively. */
  until?: Date | undefined;
}

/** One page of the institution's deliveries, newest first. */
export function listDeliveries(scope: InstitutionScope, filter: DeliveryFilter, page: Page): Promise<PageOf<DeliveryRow>> {
  const conditions = definedConditions([
    { sql: 'd.institution_id = $', value: scope.institutionId },
    { sql: 'd.status = $', value: filter.status === 'open' ? undefined : filter.status },
    { sql: 'd.status = ANY ($)', value: filter.status === 'open' ? openStatuses : undefined },
    { sql: 'd.endpoint_id = $', value: filter.endpoint_id },
    { sql: 'd.event_id = $', value: filter.event_id },
    { sql: 'd.event_type = $', value: filter.event_type },
    ...responseCodeConditions('d.response_code', filter.response_code),
    // A delivered one has none; the release before left that of an earlier attempt.
    { sql: "d.error_class = $ AND d.status <> 'delivered'", value: filter.error_class },
    { sql: `${wasLate('d')} = $`, value: filter.late },
    { sql: 'd.id IN (SELECT r.delivery_id FROM webhook_replays r WHERE r.institution_id = d.institution_id AND r.ref = $)', value: filter.sent_by },
    { sql: 'd.created_at > $', value: filter.since },
    { sql: 'd.created_at <= $', value: filter.until },
  ]);
  // The index of failed responses has an expression, which no policy lets a condition be compared with.
  const { sql } = filter.response_code === undefined ? scope : scope.platform;
  return readPage(sql, { columns, from: 'deliveries d', joins, key: 'd.id', conditions, order: newestFirst('d.created_at', 'd.id') }, page);
}

const selectById = (table: string): string => `SELECT ${columns} FROM ${table} d ${joins} WHERE d.institution_id = $1 AND d.id = $2`;
const byId = statement('delivery_by_id', selectById('deliveries'));
const lockOpen = statement('delivery_lock_open', `${selectById('open_deliveries')} FOR NO KEY UPDATE OF d`);
const lockEnded = statement('delivery_lock_ended', `${selectById('webhook_deliveries')} FOR NO KEY UPDATE OF d`);

/** A delivery of the institution. */
export async function findDelivery(scope: InstitutionScope, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await scope.sql<DeliveryRow>(byId, [scope.institutionId, id]);
  return row;
}

/** The same inside a transaction: locks the row and reads it under the lock. */
export async function lockDelivery(scope: InstitutionScope, id: string): Promise<DeliveryRow | undefined> {
  return lockInEitherTable(scope, id, (values) => scope.sql<DeliveryRow>(lockOpen, values), (values) => scope.sql<DeliveryRow>(lockEnded, values));
}

/** One attempt of a delivery. Durations in ms. */
export interface AttemptRow {
  number: number;
  cycle: number;
  started_at: Date;
  duration_ms: number;
  connect_ms: number | null;
  response_code: number | null;
  error_class: ErrorClass | null;
  error: string | null;
  response_body: string | null;
  resent: boolean;
}

const attempts = statement(
  'delivery_attempts',
  `SELECT number, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body, resent
     FROM (SELECT * FROM webhook_attempts WHERE institution_id = $1 AND delivery_id = $2 ORDER BY number DESC LIMIT $3) AS newest ORDER BY number`,
);

/** Maximum number of attempts in a response; older ones stay stored. */
export const maxAttemptsShown = 100;

/** Returns the newest attempts of a delivery in all its cycles, at most 100, in order. */
export function listAttempts(scope: InstitutionScope, deliveryId: string): Promise<AttemptRow[]> {
  return scope.sql(attempts, [scope.institutionId, deliveryId, maxAttemptsShown]);
}
