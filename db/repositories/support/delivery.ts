import type { DeliveryStatus, EndReason } from '../webhooks/deliveryStatus';
import type { EndpointStatus } from '../../entities/endpoint';
import type { InstitutionStatus } from '../../entities/institution';
import { statement, type Sql } from '../../statement';
import type { AttemptRow } from '../webhooks/deliveries';
import { lastAttempt, lastAttemptColumns, type LastAttempt } from './lastAttempt';

/** A delivery with what explains its status: its event, endpoint and institution. */
export interface SupportDelivery extends LastAttempt {
  id: string;
  institution_id: string;
  institution_name: string;
  institution_status: InstitutionStatus;
  time_zone: string;
  /** How far the clock of its institution is ahead; 0 but in a sandbox. */
  clock_offset_ms: number;
  endpoint_id: string;
  endpoint_url: string;
  endpoint_description: string | null;
  endpoint_status: EndpointStatus;
  endpoint_deleted: boolean;
  circuit: 'closed' | 'open';
  probe_at: Date | null;
  backlog_run: number;
  event_id: string;
  event_type: string;
  event_created_at: Date;
  status: DeliveryStatus;
  cycle: number;
  attempts: number;
  response_code: number | null;
  first_attempt_at: Date | null;
  next_attempt_at: Date | null;
  deadline_at: Date | null;
  held_at: Date | null;
  delivered_at: Date | null;
  /** When and why it ended, if no attempt ended it. */
  ended_at: Date | null;
  end_reason: EndReason | null;
  created_at: Date;
  retried_by: 'workflow' | 'backlog' | null;
  /** Whether an attempt is being made; a claim that has lapsed is none. */
  claimed: boolean;
  /** The event's envelope as JSON text; null once the event was pruned. */
  payload: string | null;
}

const byId = statement(
  'support_delivery',
  `SELECT d.id, d.institution_id, i.name AS institution_name, i.status AS institution_status, i.time_zone,
          i.clock_offset_ms::float8 AS clock_offset_ms, d.endpoint_id, e.url AS endpoint_url,
          e.description AS endpoint_description, e.status AS endpoint_status, e.deleted_at IS NOT NULL AS endpoint_deleted, e.circuit, e.probe_at, e.backlog_run, d.event_id,
          d.event_type, d.event_created_at, d.status, d.cycle, d.attempts, d.response_code, d.first_attempt_at, d.next_attempt_at, d.deadline_at, d.held_at,
          d.delivered_at, d.ended_at, d.end_reason, d.created_at, d.retried_by, coalesce(d.claimed_until >= clock_timestamp(), false) AS claimed, v.body AS payload,
          ${lastAttemptColumns}
     FROM deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id JOIN institutions i ON i.id = d.institution_id
     LEFT JOIN events v ON v.id = d.event_id LEFT JOIN LATERAL (${lastAttempt('d')}) last ON true
    WHERE d.id = $1`,
);

/** A delivery of any institution. */
export async function findSupportDelivery(sql: Sql, id: string): Promise<SupportDelivery | undefined> {
  const [row] = await sql<SupportDelivery>(byId, [id]);
  return row;
}

/** Maximum number of attempts on a delivery's page. */
export const attemptsShown = 100;

const attempts = statement(
  'support_attempts',
  `SELECT number, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body, resent
     FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number DESC LIMIT ${attemptsShown}`,
);

/** Returns the newest 100 attempts of a delivery, newest first. */
export function newestAttempts(sql: Sql, deliveryId: string): Promise<AttemptRow[]> {
  return sql(attempts, [deliveryId]);
}
