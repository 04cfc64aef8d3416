import { DeliveryEntity } from '../../db/entities/delivery';
import type { TestApi } from './api';

/** The deliveries of an endpoint as they lie in the database, by id. */
export async function deliveriesOf(api: TestApi, endpointId: string): Promise<Map<string, DeliveryEntity>> {
  const rows = await api.api.domain.database.manager.findBy(DeliveryEntity, { endpointId });
  return new Map(rows.map((row) => [row.id, row]));
}
