import { lockEndpoint, updateEndpointRow } from '../../db/repositories/webhooks/endpoints';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { requireFound } from '../errors';
import { endEndpointDeliveries } from './endDeliveries';

/**
 * Deletes an endpoint and cancels its open deliveries, also in their workflows. The deliveries and their attempts stay
 * readable.
 */
export async function deleteEndpoint(tx: Transaction, id: string): Promise<void> {
  await lockInstitution(tx);
  requireFound(await lockEndpoint(tx, id), 'webhook endpoint');
  await updateEndpointRow(tx, id, { deletedAt: tx.now }, tx.now);
  await endEndpointDeliveries(tx, id, 'endpoint_deleted');
}
