import { lockEndpoint, updateEndpointRow } from '../../db/repositories/webhooks/endpoints';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import type { EndpointWithSecret } from './createEndpoint';
import { newWebhookSecret } from './signature';

/** Bounds of the grace, in hours. */
export const graceHours = { min: 0, max: 168, default: 24 } as const;

const hourMs = 3_600_000;

/**
 * Gives an endpoint a new signing secret. During the grace (hours) attempts carry the signatures of both; a secret
 * that was in an earlier grace signs no longer, and no grace ends the old one at once.
 */
export async function rotateSecret(tx: Transaction, id: string, hours: number): Promise<EndpointWithSecret> {
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined) throw notFound('webhook endpoint');
  const secret = newWebhookSecret();
  const previous =
    hours === 0
      ? { previousSecretSealed: null, previousSecretExpiresAt: null }
      : { previousSecretSealed: endpoint.secretSealed, previousSecretExpiresAt: new Date(tx.now.getTime() + hours * hourMs) };
  const fields = { ...previous, secretSealed: tx.secrets.seal(secret), secretRotatedAt: tx.now };
  await updateEndpointRow(tx, id, fields, tx.now);
  return { endpoint: Object.assign(endpoint, fields), secret };
}
