import type { EndpointHealth } from '../../../domain/webhooks/endpointHealth';
import { isoOrNull } from '../../http/request/fields';
import type { EndpointHealthResponse } from './endpointHealth.schemas';
import { presentWebhookEndpoint } from './webhookEndpoints.presenter';

/** A webhook endpoint with its circuit and its backlog. */
export function presentEndpointHealth({ endpoint, disabledAt, lastDisabledAt, backlog: { held_since, ...backlog } }: EndpointHealth, now: Date): EndpointHealthResponse {
  return {
    ...presentWebhookEndpoint(endpoint, now),
    paused_at: isoOrNull(endpoint.pausedAt),
    disabled_at: isoOrNull(disabledAt ?? null),
    last_disabled_at: isoOrNull(lastDisabledAt ?? null),
    failing_since: isoOrNull(endpoint.failingSince),
    circuit: endpoint.circuit,
    circuit_opened_at: isoOrNull(endpoint.circuitOpenedAt),
    next_probe_at: isoOrNull(endpoint.probeAt),
    backlog: { ...backlog, held_since: isoOrNull(held_since) },
  };
}
