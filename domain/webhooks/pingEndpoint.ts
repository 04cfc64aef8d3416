import { institutionScope } from '../../db/database';
import { findEndpoint } from '../../db/repositories/webhooks/endpoints';
import type { Caller, Domain } from '../context';
import { DomainError } from '../errors';
import type { EventType } from '../events/eventTypes';
import { sampleEvent, type SampleEvent, type SampleOf } from '../events/sampleEvent';
import { newId } from '../ids';
import type { AttemptOutcome } from './classifyAttempt';
import { requireActiveEndpoint } from './requireActiveEndpoint';
import { webhookHeaders } from './signature';
import { maskHeaderValues } from './maskHeaderValues';
import { openSending } from './openSending';

/**
 * Posts a `ping`, or the sample of another event type, to an endpoint in the way of a delivery (section Events, Delivery 8): same signatures, same address
 * checks, same timeout of 10 s. Returns the outcome; holds no connection while it waits, and writes nothing.
 * `not_found`, `endpoint_inactive` for a paused or disabled endpoint, and `conflict` while two other tests of it run.
 */
export async function pingEndpoint(
  domain: Pick<Domain, 'database' | 'secrets' | 'postWebhook'>,
  caller: Caller,
  id: string,
  eventType: EventType = 'ping',
): Promise<AttemptOutcome> {
  const { database, secrets, postWebhook } = domain;
  const { institutionId, now } = caller;
  const endpoint = requireActiveEndpoint(await findEndpoint(institutionScope(database, institutionId), id));
  const eventId = newId('evt');
  const sealed = {
    institution_id: institutionId,
    endpoint_id: id,
    secret_sealed: endpoint.secretSealed,
    previous_secret_sealed: endpoint.previousSecretSealed,
    previous_secret_expires_at: endpoint.previousSecretExpiresAt,
    signing_key_sealed: endpoint.signingKeySealed,
    previous_signing_key_sealed: endpoint.previousSigningKeySealed,
    headers_sealed: endpoint.headersSealed,
  };
  const body = JSON.stringify(testEvent(eventType, { id: eventId, institutionId, createdAt: now }, id));
  const sending = openSending(secrets, sealed, now);
  const headers = webhookHeaders({
    deliveryId: newId('whd'),
    eventId,
    eventType,
    ...sending,
    // Receivers compare it with their own clock, which no sandbox moves.
    timestampSeconds: Math.floor(Date.now() / 1_000),
    body,
  });
  return limitConcurrentTests(id, async () => maskHeaderValues(await postWebhook({ url: endpoint.url, headers, body }), sending.customHeaders));
}

/** Maximum number of concurrent tests of an endpoint in one process. */
const maxConcurrentTests = 2;
// eslint-disable-next-line no-restricted-syntax -- counts calls of this process, and each call decrements it when it ends
const activeTests = new Map<string, number>();

async function limitConcurrentTests<Result>(endpointId: string, test: () => Promise<Result>): Promise<Result> {
  const others = activeTests.get(endpointId) ?? 0;
  if (others >= maxConcurrentTests) throw new DomainError('conflict', 'Two tests of this endpoint are still running; retry when one of them has ended.');
  activeTests.set(endpointId, others + 1);
  try {
    return await test();
  } finally {
    const left = (activeTests.get(endpointId) ?? 1) - 1;
    if (left === 0) activeTests.delete(endpointId);
    else activeTests.set(endpointId, left);
  }
}

/** The sample of a type, in the form of stored events; a `ping` names the endpoint that it is sent to. */
function testEvent(type: EventType, of: SampleOf, endpointId: string): SampleEvent {
  return type === 'ping' ? { ...sampleEvent(type, of), data: { endpoint_id: endpointId } } : sampleEvent(type, of);
}
