import { lockEndpoint, updateEndpointRow } from '../../db/repositories/webhooks/endpoints';
import type { Transaction } from '../context';
import { requireFound } from '../errors';
import type { EndpointWithSecret } from './createEndpoint';
import { endpointPlace, moveToColumn } from './endpointPlace';
import { newWebhookSecret } from './signature';
import { rotatedColumns } from './signatureScheme';

/** Limits of the grace period, in hours. */
export const graceHours = { min: 0, max: 168, default: 24 } as const;

const hourMs = 3_600_000;

/**
 * Creates a new signing secret for an endpoint, and a new key if it has one. During the grace period (hours) attempts carry the signatures of both; a
 * secret of an earlier grace period no longer signs, and a period of 0 ends the old secret immediately.
 */
export async function rotateSecret(tx: Transaction, id: string, hours: number): Promise<EndpointWithSecret> {
  const endpoint = requireFound(await lockEndpoint(tx, id), 'webhook endpoint');
  const secret = newWebhookSecret();
  const previous =
    hours === 0
      ? { previousSecretSealed: null, previousSecretExpiresAt: null }
      : { previousSecretSealed: moveToColumn(tx.secrets, endpoint, endpoint.secretSealed, 'secret_sealed', 'previous_secret_sealed'), previousSecretExpiresAt: new Date(tx.now.getTime() + hours * hourMs) };
  const fields = { ...previous, ...rotatedColumns(tx.secrets, endpoint, { grace: hours > 0 }), secretSealed: tx.secrets.seal(secret, endpointPlace(endpoint, 'secret_sealed')), secretRotatedAt: tx.now };
  await updateEndpointRow(tx, id, fields, tx.now);
  return { endpoint: Object.assign(endpoint, fields), secret };
}
