import type { EndpointStatus } from '../../entities/endpoint';
import type { InstitutionStatus } from '../../entities/institution';
import type { InstitutionScope } from '../../database';
import { definedConditions, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement, type Sql } from '../../statement';
import { changeColumns, type AuditedChange } from '../auditLog/auditLog';
import type { DeliveryStatus, EndReason } from '../webhooks/deliveryStatus';
import { lastAttempt, lastAttemptColumns, type LastAttempt } from './lastAttempt';

/** A delivery of a listed event. */
export interface EventDelivery {
  id: string;
  endpoint_id: string;
  status: DeliveryStatus;
}

/** An event in a list, with its deliveries. */
export interface ListedEvent {
  id: string;
  type: string;
  created_at: Date;
  deliveries: EventDelivery[];
}

/** The filters of a list of events; undefined ones do not restrict. `since` is exclusive, `until` inclusive. */
export interface EventFilter {
  type?: string | undefined;
  /** Of one of these types. */
  types?: readonly string[] | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Of these alone. */
  ids?: readonly string[] | undefined;
}

/** The SQL of the deliveries of an event `v`. */
export const deliveriesOfEvent = `(SELECT coalesce(json_agg(json_build_object('id', d.id, 'endpoint_id', d.endpoint_id, 'status', d.status) ORDER BY d.endpoint_id), '[]')
  FROM deliveries d WHERE d.event_id = v.id) AS deliveries`;

/** Returns one page of the institution's events, newest first. */
export function listEvents(scope: InstitutionScope, { type, types, since, until, ids }: EventFilter, page: Page): Promise<PageOf<ListedEvent>> {
  const conditions = definedConditions([
    { sql: 'v.institution_id = $', value: scope.institutionId },
    { sql: 'v.type = $', value: type },
    { sql: 'v.type = ANY ($)', value: types },
    { sql: 'v.created_at > $', value: since },
    { sql: 'v.created_at <= $', value: until },
    { sql: 'v.id = ANY ($)', value: ids },
  ]);
  return readPage(scope.sql, { columns: `v.id, v.type, v.created_at, ${deliveriesOfEvent}`, from: 'events v', key: 'v.id', conditions, order: newestFirst('v.created_at', 'v.id') }, page);
}

const bodies = statement('support_event_bodies', 'SELECT id, body FROM events WHERE institution_id = $1 AND id = ANY ($2::text[])');

/** Returns the bodies of those events of the institution that are not pruned, by id. */
export async function readEventBodies(scope: InstitutionScope, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = ids.length === 0 ? [] : await scope.sql<{ id: string; body: string }>(bodies, [scope.institutionId, ids]);
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** An event of any institution: its envelope is null once it was pruned, when it is known by its deliveries alone. */
export interface SupportEvent {
  id: string;
  institution_id: string;
  institution_name: string;
  time_zone: string;
  /** How far the clock of its institution is ahead; 0 but in a sandbox. */
  clock_offset_ms: number;
  type: string;
  created_at: Date;
  body: string | null;
  /** Whether its deliveries are still to be created. */
  queued: boolean;
}

const event = statement(
  'support_event',
  `SELECT v.id, v.institution_id, i.name AS institution_name, i.time_zone, i.clock_offset_ms::float8 AS clock_offset_ms, v.type, v.created_at, v.body,
          EXISTS (SELECT 1 FROM event_queue q WHERE q.institution_id = v.institution_id AND q.event_id = v.id) AS queued
     FROM ((SELECT id, institution_id, type, created_at, body FROM events WHERE id = $1)
           UNION ALL (SELECT event_id, institution_id, event_type, event_created_at, NULL FROM deliveries WHERE event_id = $1 LIMIT 1)) v
     JOIN institutions i ON i.id = v.institution_id ORDER BY v.body LIMIT 1`,
);

/** Returns an event of any institution; undefined if it is unknown, or pruned without a delivery. */
export async function findSupportEvent(sql: Sql, id: string): Promise<SupportEvent | undefined> {
  const [row] = await sql<SupportEvent>(event, [id]);
  return row;
}

/** An endpoint of the institution of an event, with its delivery of the event, if it has one. */
export interface EndpointOfEvent extends LastAttempt {
  endpoint_id: string;
  url: string;
  description: string | null;
  events: string[];
  status: EndpointStatus;
  disabled_reason: string | null;
  paused_at: Date | null;
  circuit: 'closed' | 'open';
  rate_limit: number | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  institution_status: InstitutionStatus;
  delivery_id: string | null;
  delivery_status: DeliveryStatus | null;
  attempts: number | null;
  response_code: number | null;
  next_attempt_at: Date | null;
  deadline_at: Date | null;
  held_at: Date | null;
  delivered_at: Date | null;
  /** Of its delivery: 1 until it was sent again. */
  cycle: number | null;
  /** The ref by which its delivery was sent last: of a recovery (`rcv_…`), a replay of dead deliveries (`rpl_…`), or its caller's own; null if it has none. */
  sent_by: string | null;
  /** When and why its delivery ended, if no attempt ended it. */
  ended_at: Date | null;
  end_reason: EndReason | null;
}

/** Maximum number of endpoints that are named for an event: of an institution's deleted ones, the last ones. */
export const maxEndpointsOfEvent = 200;

const endpoints = statement(
  'support_endpoints_of_event',
  `SELECT e.id AS endpoint_id, e.url, e.description, e.events, e.status, e.disabled_reason, e.paused_at, e.circuit, e.rate_limit, e.created_at, e.updated_at, e.deleted_at,
          i.status AS institution_status, d.id AS delivery_id, d.status AS delivery_status, d.attempts, d.response_code, d.next_attempt_at, d.deadline_at, d.held_at, d.delivered_at,
          d.cycle, (SELECT r.ref FROM webhook_replays r WHERE r.institution_id = $1 AND r.delivery_id = d.id AND r.cycle = d.cycle ORDER BY r.created_at DESC LIMIT 1) AS sent_by,
          d.ended_at, d.end_reason, ${lastAttemptColumns}
     FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
     LEFT JOIN deliveries d ON d.event_id = $2 AND d.endpoint_id = e.id LEFT JOIN LATERAL (${lastAttempt('d')}) last ON true
    WHERE e.institution_id = $1 ORDER BY (d.id IS NULL), (e.deleted_at IS NOT NULL), e.deleted_at DESC, e.created_at DESC, e.id DESC LIMIT ${maxEndpointsOfEvent}`,
);

/** Returns the endpoints of an institution, deleted ones included, each with its delivery of an event; those that have one come first. */
export function listEndpointsOfEvent(sql: Sql, institutionId: string, eventId: string): Promise<EndpointOfEvent[]> {
  return sql(endpoints, [institutionId, eventId]);
}

/** Maximum number of changes that are considered; the newest are left out. */
export const maxChanges = 2_000;

const changes = statement(
  'support_changes_since',
  `SELECT ${changeColumns} FROM audit_log
    WHERE institution_id = $1 AND operation = ANY (ARRAY['updateWebhookEndpoint', 'cancelDelivery']) AND at >= $2
    ORDER BY at, id LIMIT ${maxChanges}`,
);

/** Returns the changes of an institution's endpoints, and its cancelled deliveries, since a moment, oldest first. */
export function listWebhookChangesSince(sql: Sql, institutionId: string, since: Date): Promise<AuditedChange[]> {
  return sql(changes, [institutionId, since]);
}
