import { transact } from '../../domain/transact';
import type { ApiResponse } from './api';
import { customerFixtureForEachTest, type CustomerFixture } from './customerFixture';
import { deliveriesOf, type StoredDelivery } from './deliveries';

/** A customer of each test, with short ways to deliveries of events that were committed. */
export interface DeliveryFixture {
  readonly customer: CustomerFixture;
  /** A delivery as the API shows it. */
  get(id: string): Promise<ApiResponse>;
  /** A delivery to the customer's endpoint as it is stored. */
  stored(id: string): Promise<StoredDelivery | undefined>;
  /** Commits one event and answers its envelope. */
  commitEvent(): Promise<{ id: string; created_at: string }>;
  /** Writes a delivery of a committed event; answers its id. */
  seed(fields?: Partial<StoredDelivery>): Promise<string>;
}

/** As {@link customerFixtureForEachTest}, with events. */
export function deliveryFixtureForEachTest(): DeliveryFixture {
  const customer = customerFixtureForEachTest();
  const { api, institution } = customer;
  const commitEvent: DeliveryFixture['commitEvent'] = async () => {
    await transact(api.api.domain, institution.caller, (tx) => {
      tx.emit('exam.published', { exam_id: 'exm_1', faculty_id: 'fac_1', app: 'svc' });
      return Promise.resolve();
    });
    const { data } = await api.call('GET', '/events', { key: institution.apiKey, query: { type: 'exam.published', limit: 200 } });
    return data.items.at(-1);
  };
  return {
    customer,
    get: (id) => api.call('GET', `/webhooks/deliveries/${id}`, { key: institution.apiKey }),
    stored: async (id) => (await deliveriesOf(api, customer.endpointId)).get(id),
    commitEvent,
    seed: async (fields = {}) => {
      const event = await commitEvent();
      return customer.seedEndpointDelivery({ eventId: event.id, eventType: 'exam.published', eventCreatedAt: new Date(event.created_at), ...fields });
    },
  };
}
