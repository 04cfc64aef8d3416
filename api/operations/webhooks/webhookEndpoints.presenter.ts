import type { EndpointEntity } from '../../../db/entities/endpoint';
import type { AttemptOutcome } from '../../../domain/webhooks/classifyAttempt';
import type { EndpointWithSecret } from '../../../domain/webhooks/createEndpoint';
import { schemeOf } from '../../../domain/webhooks/signatureScheme';
import { isoOrNull } from '../../http/request/fields';
import type { WebhookEndpointResponse, WebhookEndpointWithSecretResponse, WebhookTestResponse } from './webhookEndpoints.schemas';

/** A webhook endpoint, without its secret. */
export function presentWebhookEndpoint(endpoint: EndpointEntity, now: Date): WebhookEndpointResponse {
  const { previousSecretExpiresAt: graceEnd } = endpoint;
  const inGrace = graceEnd !== null && graceEnd > now;
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: endpoint.events,
    status: endpoint.status,
    rate_limit: endpoint.rateLimit,
    created_at: endpoint.createdAt.toISOString(),
    last_success_at: isoOrNull(endpoint.lastSuccessAt),
    last_failure_at: isoOrNull(endpoint.lastFailureAt),
    consecutive_failures: endpoint.consecutiveFailures,
    circuit: endpoint.circuit,
    next_probe_at: endpoint.status === 'active' ? isoOrNull(endpoint.probeAt) : null,
    disabled_reason: endpoint.disabledReason,
    secret_rotated_at: isoOrNull(endpoint.secretRotatedAt),
    previous_secret_expires_at: inGrace ? graceEnd.toISOString() : null,
    header_names: endpoint.headerNames,
    signature_scheme: schemeOf(endpoint),
    public_key: endpoint.publicKey,
    previous_public_key: inGrace ? endpoint.previousPublicKey : null,
  };
}

/** A webhook endpoint with its signing secret, at creation and rotation only. */
export function presentWithSecret({ endpoint, secret }: EndpointWithSecret, now: Date): WebhookEndpointWithSecretResponse {
  return { ...presentWebhookEndpoint(endpoint, now), secret };
}

/** What came of a test of an endpoint. */
export function presentPing({ ok, responseCode, durationMs, error, responseBody }: AttemptOutcome): WebhookTestResponse {
  return { delivered: ok, response_code: responseCode, latency_ms: Math.round(durationMs), error, response_body: responseBody };
}
