import type { EndpointHealth } from '../../../domain/webhooks/endpointHealth';
import { attemptsToDisable, disableTimeOf } from '../../../domain/webhooks/disableEndpoint';
import { firstFailureOf } from '../../../domain/webhooks/firstFailure';
import { isoOrNull } from '../../http/request/fields';
import type { AttemptsToDisableResponse, EndpointHealthResponse } from './endpointHealth.schemas';
import { presentWebhookEndpoint } from './webhookEndpoints.presenter';

const presentAttemptsToDisable = (made: number): AttemptsToDisableResponse => ({ made, needed: attemptsToDisable.minAttempts, within_hours: attemptsToDisable.withinMs / 3_600_000 });

/** A webhook endpoint with its circuit and its backlog. */
export function presentEndpointHealth({ endpoint, disabledAt, lastDisabledAt, recentAttempts, deadByDisabling, backlog: { held_since, ...backlog } }: EndpointHealth, now: Date): EndpointHealthResponse {
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
    circuit: endpoint.circuit,
    circuit_opened_at: isoOrNull(endpoint.circuitOpenedAt),
    next_probe_at: isoOrNull(endpoint.probeAt),
    backlog: { ...backlog, held_since: isoOrNull(held_since) },
  };
}
