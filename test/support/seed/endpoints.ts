import { EndpointEntity } from '../../../db/entities/endpoint';
import { newId } from '../../../domain/ids';
import { endpointPlace } from '../../../domain/webhooks/endpointPlace';
import { newWebhookSecret } from '../../../domain/webhooks/signature';
import type { TestApi, TestInstitution } from '../api';
import { seedDeadDeliveries, seedDelivery } from './deliveries';
import type { DeliveryTable, StoredDelivery } from '../deliveries';

/** Inserts an endpoint, by default active and for all events of students and licenses; returns its id. */
export async function seedEndpoint({ api }: TestApi, { id: institutionId }: Pick<TestInstitution, 'id'>, url: string, fields: Partial<EndpointEntity> = {}): Promise<string> {
  const id = fields.id ?? newId('we');
  const now = new Date();
  await api.domain.database.manager.insert(EndpointEntity, {
    id,
    institutionId,
    url,
    events: ['student.*', 'license.*'],
    status: 'active',
    secretSealed: api.domain.secrets.seal(newWebhookSecret(), endpointPlace({ institutionId, id }, 'secret_sealed')),
    consecutiveFailures: 0,
    createdAt: now,
    updatedAt: now,
    clockPausedSince: fields.pausedAt ?? null,
    ...fields,
  });
  return id;
}

/** Inserts an endpoint with so many dead deliveries; returns its id. */
export async function seedDeadEndpoint(api: TestApi, institution: Pick<TestInstitution, 'id'>, url: string, count: number): Promise<string> {
  const id = await seedEndpoint(api, institution, url);
  if (count > 0) await seedDeadDeliveries(api, institution, id, count);
  return id;
}

/** An endpoint of a fixture's institution. */
export interface TestEndpoint {
  readonly id: string;
  /** Seeds a delivery to the endpoint, where this release has it unless a table is named; returns its id. */
  seedDelivery(fields?: Partial<StoredDelivery>, table?: DeliveryTable): Promise<string>;
}

/** Seeds a new endpoint before each test; the properties are those of the current one. */
export function endpointForEachTest({ api, institution }: { api: TestApi; institution: TestInstitution }): TestEndpoint {
  let id: string;

  beforeEach(async () => {
    id = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
  });

  return {
    get id() {
      return id;
    },
    seedDelivery: (fields = {}, table) => seedDelivery(api, institution, id, fields, table),
  };
}
