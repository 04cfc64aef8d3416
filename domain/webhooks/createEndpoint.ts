import type { EndpointEntity } from '../../db/entities/endpoint';
import { countEndpoints, insertEndpoint, nextCreationAt, stampCreation } from '../../db/repositories/webhooks/endpoints';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import { pauseClocks } from '../../db/repositories/webhooks/clockPauses';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { sealHeaders, type CustomHeaders } from './customHeaders';
import { endpointPlace } from './endpointPlace';
import { columnsOfScheme, type SignatureScheme } from './signatureScheme';
import type { ValidatedUrl } from './validateWebhookUrl';
import { newWebhookSecret } from './signature';
import { validateSubscriptions } from './subscriptions';

/** The fields of a new webhook endpoint. */
export interface NewEndpoint {
  url: ValidatedUrl;
  description?: string | null | undefined;
  events?: readonly string[] | undefined;
  rate_limit?: number | null | undefined;
  headers?: CustomHeaders | null | undefined;
  signature_scheme?: SignatureScheme | undefined;
}

/** An endpoint with its signing secret in plain text: returned once, encrypted at rest. */
export interface EndpointWithSecret {
  endpoint: EndpointEntity;
  secret: string;
}

const maxEndpoints = 20;

/** Maximum number of endpoints that an institution can create per hour, including deleted ones, which are kept as long as their deliveries. */
const maxCreatedPerHour = 60;

/**
 * Creates an active endpoint, which receives events committed after it. `events_required` for its subscriptions,
 * `endpoint_limit` at 20 that are not deleted, and at 60 created within an hour.
 */
export async function createEndpoint(tx: Transaction, wanted: NewEndpoint): Promise<EndpointWithSecret> {
  const events = validateSubscriptions(wanted.events ?? []);
  await lockInstitution(tx);
  if ((await countEndpoints(tx)) >= maxEndpoints) {
    throw new DomainError('endpoint_limit', `An institution can have at most ${maxEndpoints} webhook endpoints; delete one first.`);
  }
  const nextAt = await nextCreationAt(tx, maxCreatedPerHour);
  if (nextAt !== undefined) {
    throw new DomainError('endpoint_limit', `An institution can create at most ${maxCreatedPerHour} webhook endpoints per hour, including deleted ones; retry after ${nextAt.toISOString()}.`);
  }
  const secret = newWebhookSecret();
  const reference = { institutionId: tx.institutionId, id: newId('we') };
  const endpoint = await insertEndpoint(tx, {
    id: reference.id,
    url: wanted.url.value,
    description: wanted.description ?? null,
    events,
    status: 'active',
    disabledReason: null,
    secretSealed: tx.secrets.seal(secret, endpointPlace(reference, 'secret_sealed')),
    previousSecretSealed: null,
    previousSecretExpiresAt: null,
    secretRotatedAt: null,
    ...sealHeaders(tx.secrets, reference, wanted.headers),
    ...columnsOfScheme(tx.secrets, reference, wanted.signature_scheme ?? 'hmac'),
    consecutiveFailures: 0,
    lastSuccessAt: null,
    lastFailureAt: null,
    pausedAt: null,
    circuit: 'closed',
    circuitOpenedAt: null,
    probeAt: null,
    failingSince: null,
    firstFailedAt: null,
    movedFailingSince: null,
    clockPausedSince: null,
    replayAskedAt: null,
    rateLimit: wanted.rate_limit ?? null,
    warnedPercent: null,
    warnedFailingSince: null,
    warnedSuccessAt: null,
    createdAt: tx.now,
    updatedAt: tx.now,
    deletedAt: null,
  });
  // In a suspended institution its clock is paused from the beginning.
  await pauseClocks(tx, endpoint.id, tx.now);
  return { endpoint: Object.assign(endpoint, { createdAt: await stampCreation(tx, endpoint.id) }), secret };
}
