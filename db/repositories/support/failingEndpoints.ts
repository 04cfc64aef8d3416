import type { EndpointStatus } from '../../entities/endpoint';
import { definedConditions, readPage, type Page, type PageOf } from '../../page';
import type { Sql } from '../../statement';
import { firstFailure } from '../webhooks/clockPauses';

/** An endpoint of any institution whose attempts fail. */
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
  circuit: 'closed' | 'open';
  circuit_opened_at: Date | null;
  probe_at: Date | null;
  /** When it began to fail. */
  first_failed_at: Date | null;
  consecutive_failures: number;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  /** How its last attempt failed: `HTTP 401`, or an error class; null where it is no longer stored. */
  last_error: string | null;
}

const columns = `e.id, e.institution_id, i.name AS institution_name, i.sandbox_of, i.time_zone, i.clock_offset_ms::float8 AS clock_offset_ms, e.url, e.description, e.status, e.circuit,
  e.circuit_opened_at, e.probe_at, ${firstFailure} AS first_failed_at, e.consecutive_failures, e.last_success_at, e.last_failure_at,
  (SELECT coalesce('HTTP ' || a.response_code, a.error_class) FROM webhook_attempts a WHERE a.endpoint_id = e.id ORDER BY a.started_at DESC LIMIT 1) AS last_error`;

// Few of all: each half has an index of its own. Nothing is sent to a disabled one.
const failing = "(SELECT * FROM webhook_endpoints WHERE deleted_at IS NULL AND status <> 'disabled' AND (failing_since IS NOT NULL OR circuit = 'open')) e";

/** Returns a page of the endpoints of all institutions whose attempts have failed since their last success, or whose circuit is open, newest first. Disabled ones are not among them. */
export function listFailingEndpoints(sql: Sql, { circuit }: { circuit?: 'closed' | 'open' | undefined }, page: Page): Promise<PageOf<FailingEndpoint>> {
  const conditions = definedConditions([{ sql: 'e.circuit = $', value: circuit }]);
  // Ids begin with their time.
  const query = { columns, from: failing, joins: 'JOIN institutions i ON i.id = e.institution_id', key: 'e.id', conditions, order: [{ sql: 'e.id', type: 'text', direction: 'DESC' }] } as const;
  return readPage(sql, query, page);
}
