import { institutionScope } from '../../db/database';
import { findEndpoint } from '../../db/repositories/webhooks/endpoints';
import type { Caller, Domain } from '../context';
import { DomainError, notFound } from '../errors';
import { serializeEventData } from '../events/eventTypes';
import { newId } from '../ids';
import { transact } from '../transact';
import type { Outcome } from './classifyAttempt';
import { webhookHeaders } from './signature';
import { signingSecrets } from './signingSecrets';

/**
 * Posts a `ping` to an endpoint as a delivery would be (section Events, Delivery 8): same signatures, same checks of the
 * address, same 10 s. Waits for the answer, holds no connection meanwhile and writes nothing, but that it was
 * asked for. Raises `not_found`, and `endpoint_inactive` for a paused or disabled endpoint, and `conflict` while two other tests of it wait.
 */
export async function pingEndpoint(
  domain: Pick<Domain, 'database' | 'secrets' | 'postWebhook' | 'onCommitted'>,
  caller: Caller,
  id: string,
): Promise<Outcome> {
  const { database, secrets, postWebhook } = domain;
  const { institutionId, now } = caller;
  const endpoint = await findEndpoint(institutionScope(database, institutionId), id);
  if (endpoint === undefined) throw notFound('webhook endpoint');
  if (endpoint.status !== 'active') throw new DomainError('endpoint_inactive', `The endpoint is ${endpoint.status}; make it active first.`);
  const eventId = newId('evt');
  const sealed = {
    secret_sealed: endpoint.secretSealed,
    previous_secret_sealed: endpoint.previousSecretSealed,
    previous_secret_expires_at: endpoint.previousSecretExpiresAt,
  };
  const body = pingEnvelope(eventId, institutionId, id, now);
  const headers = webhookHeaders({
    deliveryId: newId('whd'),
    eventId,
    eventType: 'ping',
    secrets: signingSecrets(secrets, sealed, now),
    timestampSeconds: Math.floor(now.getTime() / 1_000),
    body,
  });
  const outcome = await limitConcurrentTests(id, () => postWebhook({ url: endpoint.url, headers, body }));
  await transact(domain, caller, () => Promise.resolve());
  return outcome;
}

/** So many tests of an endpoint may wait for its answer at the same time, in one process. */
const maxConcurrentTests = 2;
// eslint-disable-next-line no-restricted-syntax -- what is counted are calls of this process, and each gives its place back
const activeTests = new Map<string, number>();

async function limitConcurrentTests<Result>(endpointId: string, test: () => Promise<Result>): Promise<Result> {
  const others = activeTests.get(endpointId) ?? 0;
  if (others >= maxConcurrentTests) throw new DomainError('conflict', 'Other tests of this endpoint still wait for its answer.');
  activeTests.set(endpointId, others + 1);
  try {
    return await test();
  } finally {
    const left = (activeTests.get(endpointId) ?? 1) - 1;
    if (left === 0) activeTests.delete(endpointId);
    else activeTests.set(endpointId, left);
  }
}

/** The envelope as the database writes it for an event that is appended. */
function pingEnvelope(id: string, institutionId: string, endpointId: string, now: Date): string {
  const envelope = { id, type: 'ping', created_at: now.toISOString(), institution_id: institutionId };
  return `${JSON.stringify(envelope).slice(0, -1)},"data":${serializeEventData('ping', { endpoint_id: endpointId })}}`;
}
