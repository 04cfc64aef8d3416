import { DeliveryEntity } from '../../db/entities/delivery';
import { newId } from '../../domain/ids';
import type { TestApi, TestInstitution } from './api';

/** Writes one delivery as the sender would have left it, of an event that exists only where `eventId` names one; answers its id. */
export async function seedDelivery(api: TestApi, institution: TestInstitution, endpointId: string, fields: Partial<DeliveryEntity> = {}): Promise<string> {
  const createdAt = fields.createdAt ?? new Date();
  const delivery = {
    id: newId('whd'),
    institutionId: institution.id,
    endpointId,
    eventId: newId('evt'),
    eventType: 'exam.graded',
    eventCreatedAt: createdAt,
    status: 'pending' as const,
    cycle: 1,
    attempts: 0,
    scheduleStep: 0,
    responseCode: null,
    firstAttemptAt: null,
    nextAttemptAt: null,
    deadlineAt: null,
    deliveredAt: null,
    claimedBy: null,
    claimedUntil: null,
    retriedBy: fields.status === 'retrying' ? ('workflow' as const) : null,
    heldAt: fields.status === 'held' ? createdAt : null,
    createdAt,
    ...fields,
  };
  await api.api.domain.database.manager.insert(DeliveryEntity, delivery);
  return delivery.id;
}

/** The deliveries of an endpoint as they lie in the database, by id. */
export async function deliveriesOf(api: TestApi, endpointId: string): Promise<Map<string, DeliveryEntity>> {
  const rows = await api.api.domain.database.manager.findBy(DeliveryEntity, { endpointId });
  return new Map(rows.map((row) => [row.id, row]));
}
