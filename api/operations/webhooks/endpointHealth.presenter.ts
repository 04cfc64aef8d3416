import type { EndpointHealth } from '../../../domain/webhooks/endpointHealth';
import type { Outage } from '../../../db/repositories/support/outages';
import { attemptsToDisable, disableTimeOf } from '../../../domain/webhooks/disableEndpoint';
import type { DatedFailingEndpoint } from '../../../domain/webhooks/failingEndpoints';
import { firstFailureOf } from '../../../domain/webhooks/firstFailure';
import { isoOrNull } from '../../http/request/fields';
import type { AttemptsToDisableResponse, EndpointHealthResponse, FailingEndpointResponse } from './endpointHealth.schemas';
import { presentWebhookEndpoint } from './webhookEndpoints.presenter';

const presentAttemptsToDisable = (made: number): AttemptsToDisableResponse => ({ made, needed: attemptsToDisable.minAttempts, within_hours: attemptsToDisable.withinMs / 3_600_000 });

const presentOutage = ({ from, to, failed_attempts, recovered_at }: Outage): NonNullable<EndpointHealthResponse['last_outage']> =>
  ({ from: from.toISOString(), to: to.toISOString(), failed_attempts, recovered_at: isoOrNull(recovered_at) });

/** A webhook endpoint with its circuit and its backlog. */
export function presentEndpointHealth({ endpoint, disabledAt, lastDisabledAt, recentAttempts, deadByDisabling, lastOutage, backlog: { held_since, first_held_deadline_at, last_held_deadline_at, ...backlog } }: EndpointHealth, now: Date): EndpointHealthResponse {
  return {
    ...presentWebhookEndpoint(endpoint, now),
    paused_at: isoOrNull(endpoint.pausedAt),
    disabled_at: isoOrNull(disabledAt ?? null),
    last_disabled_at: isoOrNull(lastDisabledAt ?? null),
    dead_by_disabling: deadByDisabling.count,
    oldest_dead_by_disabling_at: isoOrNull(deadByDisabling.oldest_created_at),
    failing_since: isoOrNull(firstFailureOf(endpoint)),
    disable_at: isoOrNull(disableTimeOf(endpoint) ?? null),
    attempts_to_disable: recentAttempts === undefined ? null : presentAttemptsToDisable(recentAttempts),
    last_outage: lastOutage === undefined ? null : presentOutage(lastOutage),
    circuit: endpoint.circuit,
    circuit_opened_at: isoOrNull(endpoint.circuitOpenedAt),
    next_probe_at: isoOrNull(endpoint.probeAt),
    backlog: { ...backlog, held_since: isoOrNull(held_since), first_held_deadline_at: isoOrNull(first_held_deadline_at), last_held_deadline_at: isoOrNull(last_held_deadline_at) },
  };
}

/** A webhook endpoint of any institution that does not work. */
export const presentFailingEndpoint = (row: DatedFailingEndpoint): FailingEndpointResponse => ({
  id: row.id,
  institution_id: row.institution_id,
  institution_name: row.institution_name,
  sandbox_of: row.sandbox_of,
  url: row.url,
  description: row.description,
  status: row.status,
  circuit: row.circuit,
  circuit_opened_at: isoOrNull(row.circuit_opened_at),
  next_probe_at: isoOrNull(row.probe_at),
  disabled_reason: row.disabled_reason,
  disabled_at: isoOrNull(row.disabled_at),
  paused_at: isoOrNull(row.paused_at),
  held: row.held,
  first_held_deadline_at: isoOrNull(row.first_held_deadline_at),
  dead: row.dead,
  failing_since: isoOrNull(row.first_failed_at),
  consecutive_failures: row.consecutive_failures,
  last_success_at: isoOrNull(row.last_success_at),
  last_failure_at: isoOrNull(row.last_failure_at),
  last_error: row.last_error,
});
