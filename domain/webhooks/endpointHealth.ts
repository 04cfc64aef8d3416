import type { InstitutionScope } from '../../db/database';
import type { EndpointEntity } from '../../db/entities/endpoint';
import type { Page, PageOf } from '../../db/page';
import { readBacklog, readDeadByDisabling, type Backlog, type DeadByDisabling } from '../../db/repositories/support/endpoints';
import { findLastOutage, type Outage } from '../../db/repositories/support/outages';
import { listEventsAbout } from '../../db/repositories/support/eventsAbout';
import { findEndpoint, listEndpoints, type EndpointFilter } from '../../db/repositories/webhooks/endpoints';
import { requireFound } from '../errors';
import { goneStatusCode } from './classifyAttempt';
import { countRecentAttempts, disableTimeOf } from './disableEndpoint';

/** An endpoint with its circuit, and its deliveries counted by status. */
export interface EndpointHealth {
  endpoint: EndpointEntity;
  backlog: Backlog;
  /** When a disabled endpoint was disabled, where that is still known. */
  disabledAt: Date | undefined;
  /** When it was last disabled, active again or not, where that is still known. */
  lastDisabledAt: Date | undefined;
  /** The attempts that count for disabling it, up to those that are needed; undefined unless it fails and will be disabled. */
  recentAttempts: number | undefined;
  /** The dead deliveries that were given up then. */
  deadByDisabling: DeadByDisabling;
  /** When its attempts failed last, in a row; undefined if no failed one is stored. */
  lastOutage: Outage | undefined;
}

/** Returns when an endpoint was last disabled, also if it was made active again since: its row does not have it, but the event of it does, for 30 days. */
export async function findLastDisabledAt(scope: Pick<InstitutionScope, 'institutionId' | 'sql'>, id: string): Promise<Date | undefined> {
  const { rows: [event] } = await listEventsAbout(scope, { type: 'endpoint.disabled' }, [id], undefined, 1);
  return event?.created_at;
}

/** Returns the dead deliveries that were given up when an endpoint was disabled at this moment; none if it was not. */
export const findDeadByDisabling = async ({ sql, institutionId }: InstitutionScope, id: string, disabledAt: Date | undefined): Promise<DeadByDisabling> =>
  disabledAt === undefined ? { count: 0, oldest_created_at: null } : readDeadByDisabling(sql, institutionId, id, disabledAt, goneStatusCode);

async function withBacklog(scope: InstitutionScope, endpoint: EndpointEntity, now: Date): Promise<EndpointHealth> {
  const lastDisabledAt = await findLastDisabledAt(scope, endpoint.id);
  return {
    endpoint,
    disabledAt: endpoint.status === 'disabled' ? lastDisabledAt : undefined,
    lastDisabledAt,
    recentAttempts: disableTimeOf(endpoint) === undefined ? undefined : await countRecentAttempts(scope, endpoint.id, now),
    deadByDisabling: await findDeadByDisabling(scope, endpoint.id, lastDisabledAt),
    lastOutage: await findLastOutage(scope.sql, endpoint.id, endpoint.lastFailureAt),
    backlog: await readBacklog(scope.sql, endpoint.id, scope.institutionId),
  };
}

/** Returns an endpoint of the institution with its circuit and backlog. Throws `not_found` for an unknown id. */
export async function readEndpointHealth(scope: InstitutionScope, id: string, now: Date): Promise<EndpointHealth> {
  return withBacklog(scope, requireFound(await findEndpoint(scope, id), 'webhook endpoint'), now);
}

/** Returns a page of the institution's endpoints, newest first, each with its circuit and backlog. */
export async function listEndpointHealth(scope: InstitutionScope, filter: EndpointFilter, page: Page, now: Date): Promise<PageOf<EndpointHealth>> {
  const { rows, ...rest } = await listEndpoints(scope, page, filter);
  const health: EndpointHealth[] = [];
  // One after the other: each counts up to thousands of rows, and an institution has few endpoints.
  for (const endpoint of rows) health.push(await withBacklog(scope, endpoint, now));
  return { rows: health, ...rest };
}
