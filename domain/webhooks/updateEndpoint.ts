import type { EndpointEntity } from '../../db/entities/endpoint';
import { lockEndpoint, updateEndpointRow } from '../../db/repositories/webhooks/endpoints';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { DomainError, requireFound, validationError } from '../errors';
import { canTransition } from '../transitions';
import { sealHeaders, type CustomHeaders } from './customHeaders';
import { columnsOfScheme, schemeOf, type SignatureScheme } from './signatureScheme';
import type { ValidatedUrl } from './validateWebhookUrl';
import { pauseEndpointDeliveries } from './pauseEndpoint';
import { probeEndpointNow } from './probeEndpointNow';
import { resumeEndpoint } from './resumeEndpoint';
import { validateSubscriptions } from './subscriptions';
import { endpointTransitions } from './transitions';

/** The statuses that an integrator can set; only the service sets `disabled`. */
export const wantedStatuses = ['active', 'paused'] as const;
export type WantedStatus = (typeof wantedStatuses)[number];

/** The writable fields of an endpoint; absent fields stay unchanged. */
export interface EndpointChanges {
  url?: ValidatedUrl | undefined;
  description?: string | null | undefined;
  events?: readonly string[] | undefined;
  /** Deliveries per second; null removes the limit. */
  rate_limit?: number | null | undefined;
  status?: WantedStatus | undefined;
  /** All of them; null removes them. */
  headers?: CustomHeaders | null | undefined;
  signature_scheme?: SignatureScheme | undefined;
}

/**
 * Changes an endpoint. `paused` holds its deliveries, `active` releases them and reactivates a disabled endpoint; a
 * disabled one cannot be paused: `conflict`. Without a change, but for `active` where the circuit is open: it is probed at once. `validation_error` for a URL of another origin that the
 * stored headers would go to: who changes it may not know their values.
 */
export async function updateEndpoint(tx: Transaction, id: string, changes: EndpointChanges): Promise<EndpointEntity> {
  await lockInstitution(tx);
  const endpoint = requireFound(await lockEndpoint(tx, id), 'webhook endpoint');
  requireHeadersForOrigin(endpoint, changes);
  Object.assign(endpoint, await writeFields(tx, endpoint, changes));
  return Object.assign(endpoint, await changeStatus(tx, endpoint, changes.status));
}

function requireHeadersForOrigin({ url: earlier, headerNames }: EndpointEntity, { url, headers }: EndpointChanges): void {
  if (url === undefined || headers !== undefined || headerNames.length === 0 || new URL(url.value).origin === new URL(earlier).origin) return;
  throw validationError({ path: 'headers', message: 'headers must be sent again, or null, when url changes its origin' });
}

async function writeFields(tx: Transaction, endpoint: EndpointEntity, { url, description, events, rate_limit, headers, signature_scheme }: EndpointChanges): Promise<Partial<EndpointEntity>> {
  const fields = {
    ...(url === undefined ? {} : { url: url.value }),
    ...(description === undefined ? {} : { description }),
    ...(rate_limit === undefined ? {} : { rateLimit: rate_limit }),
    ...(events === undefined ? {} : { events: validateSubscriptions(events) }),
    ...(headers === undefined ? {} : sealHeaders(tx.secrets, endpoint, headers)),
    ...(signature_scheme === undefined || signature_scheme === schemeOf(endpoint) ? {} : columnsOfScheme(tx.secrets, endpoint, signature_scheme)),
  };
  return Object.keys(fields).length === 0 ? {} : write(tx, endpoint, fields);
}

async function changeStatus(tx: Transaction, endpoint: EndpointEntity, wanted: WantedStatus | undefined): Promise<Partial<EndpointEntity>> {
  if (wanted === undefined) return {};
  if (wanted === endpoint.status) {
    if (wanted === 'active') await probeEndpointNow(tx, endpoint.id);
    return {};
  }
  if (!canTransition(endpointTransitions, endpoint.status, wanted)) {
    throw new DomainError('conflict', `A ${endpoint.status} endpoint cannot become ${wanted}; set status to active first.`);
  }
  if (wanted === 'active') return resumeEndpoint(tx, endpoint);
  const paused = await write(tx, endpoint, { status: 'paused', pausedAt: tx.now });
  await pauseEndpointDeliveries(tx, endpoint.id);
  return paused;
}

async function write<Fields extends Partial<EndpointEntity>>(tx: Transaction, { id }: EndpointEntity, fields: Fields): Promise<Fields> {
  await updateEndpointRow(tx, id, fields, tx.now);
  return fields;
}
