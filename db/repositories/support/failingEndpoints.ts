import type { EndpointStatus } from '../../entities/endpoint';
import { definedConditions, readPage, type Page, type PageOf } from '../../page';
import type { Sql } from '../../statement';
import { firstFailure } from '../webhooks/clockPauses';
import { counted } from './counts';
import { deadOfEndpoint, heldOfEndpoint } from './endpoints';

/** An endpoint of any institution that does not work. */
export interface FailingEndpoint {
  id: string;
  institution_id: string;
  institution_name: string;
  /** The institution whose sandbox its institution is; null for any other. */
  sandbox_of: string | null;
  time_zone: string;
  /** How far the clock of its institution is ahead; 0 but in a sandbox. */
  clock_offset_ms: number;
  url: string;
  description: string | null;
  status: EndpointStatus;
  disabled_reason: string | null;
  paused_at: Date | null;
  /** Since when its clock is paused: deadlines do not come nearer meanwhile. */
  resting_since: Date | null;
  circuit: 'closed' | 'open';
  circuit_opened_at: Date | null;
  probe_at: Date | null;
  /** When it began to fail. */
  first_failed_at: Date | null;
  consecutive_failures: number;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  /** How its last attempt failed: `HTTP 401`, or an error class; null where it succeeded or is no longer stored. */
  last_error: string | null;
  /** Held deliveries, counted up to 1,001. */
  held: number;
  /** When the first of them is given up, unless a pause moves that. */
  first_held_deadline_at: Date | null;
  /** Dead deliveries among the newest 20,000 of its institution, counted up to 1,001. */
  dead: number;
}

const columns = `e.id, e.institution_id, i.name AS institution_name, i.sandbox_of, i.time_zone, i.clock_offset_ms::float8 AS clock_offset_ms, e.url, e.description, e.status, e.disabled_reason, e.paused_at,
  e.resting_since, e.circuit, e.circuit_opened_at, e.probe_at, ${firstFailure} AS first_failed_at, e.consecutive_failures, e.last_success_at, e.last_failure_at,
  (SELECT CASE WHEN a.error_class IS NULL AND a.response_code BETWEEN 200 AND 299 THEN NULL ELSE coalesce('HTTP ' || a.response_code, a.error_class) END
     FROM webhook_attempts a WHERE a.endpoint_id = e.id ORDER BY a.started_at DESC LIMIT 1) AS last_error,
  ${counted("SELECT 1 FROM open_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'held'")} AS held,
  (SELECT min(h.deadline_at) FROM (${heldOfEndpoint('ASC', 'e.id')}) h) AS first_held_deadline_at,
  ${counted(deadOfEndpoint('e.institution_id', 'e.id'))} AS dead`;

/** What a list of endpoints that do not work has: `failing` those with failures since the last success or an open circuit, `open` those whose circuit is open, `any` all and the disabled and paused ones. */
export const failingStates = ['any', 'failing', 'open', 'disabled', 'paused'] as const;
export type FailingState = (typeof failingStates)[number];

// Those that fail and those whose circuit is open have an index each. Of a disabled one nothing is tried.
const failing = "status <> 'disabled' AND (failing_since IS NOT NULL OR circuit = 'open')";

// Disabled and paused ones have no index: an endpoint is a small row, and there are few to an institution.
const conditionOf: Record<FailingState, string> = {
  any: "(status <> 'active' OR failing_since IS NOT NULL OR circuit = 'open')",
  failing,
  open: "status <> 'disabled' AND circuit = 'open'",
  disabled: "status = 'disabled'",
  paused: "status = 'paused'",
};

const endpointsIn = (state: FailingState): string => `(SELECT * FROM webhook_endpoints WHERE deleted_at IS NULL AND ${conditionOf[state]}) e`;

/** The filters of the list. */
export interface FailingFilter {
  /** `failing` by default. */
  state?: FailingState | undefined;
  circuit?: 'closed' | 'open' | undefined;
}

/** Returns a page of the endpoints of all institutions that do not work, newest first. */
export function listFailingEndpoints(sql: Sql, { state = 'failing', circuit }: FailingFilter, page: Page): Promise<PageOf<FailingEndpoint>> {
  const conditions = definedConditions([{ sql: 'e.circuit = $', value: circuit }]);
  // Ids begin with their time.
  const query = { columns, from: endpointsIn(state), joins: 'JOIN institutions i ON i.id = e.institution_id', key: 'e.id', conditions, order: [{ sql: 'e.id', type: 'text', direction: 'DESC' }] } as const;
  return readPage(sql, query, page);
}

/** Counts the endpoints of all institutions that do not work, up to 1,001. */
export async function countFailingEndpoints(sql: Sql, state: FailingState): Promise<number> {
  const [row] = await sql<{ count: number }>(`SELECT ${counted(`SELECT 1 FROM ${endpointsIn(state)}`)} AS count`);
  return row?.count ?? 0;
}
