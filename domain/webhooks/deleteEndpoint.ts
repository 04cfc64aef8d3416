import { EndpointEntity } from '../../db/entities/endpoint';
import { lockEndpoint } from '../../db/repositories/webhooks/endpoints';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { endEndpointDeliveries } from './endDeliveries';

/**
 * Deletes an endpoint and cancels its open deliveries, also in their workflows. The deliveries and their attempts stay
 * readable.
 */
export async function deleteEndpoint(tx: Transaction, id: string): Promise<void> {
  await lockInstitution(tx);
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined) throw notFound('webhook endpoint');
  await tx.manager.update(EndpointEntity, { id, institutionId: tx.institutionId }, { deletedAt: tx.now, updatedAt: tx.now });
  await endEndpointDeliveries(tx, id, 'cancelled');
}
