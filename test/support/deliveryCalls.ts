import { transact } from '../../domain/transact';
import type { ApiResponse } from './api';
import type { ApiFixture } from './apiFixture';
import { deliveriesOf, type StoredDelivery } from './deliveries';
import type { TestEndpoint } from './seed/endpoints';

/** Calls about the deliveries of committed events to one endpoint. */
export interface DeliveryCalls {
  /** A delivery as the API shows it. */
  get(id: string): Promise<ApiResponse>;
  /** A delivery to the endpoint as it is stored. */
  stored(id: string): Promise<StoredDelivery | undefined>;
  /** Commits one event and returns its envelope. */
  commitEvent(): Promise<{ id: string; created_at: string }>;
  /** Seeds a delivery of a committed event; returns its id. */
  seed(fields?: Partial<StoredDelivery>): Promise<string>;
}

/** Calls about the deliveries of committed events to an endpoint of the fixture's institution. */
export function deliveryCalls({ api, institution }: ApiFixture, endpoint: TestEndpoint): DeliveryCalls {
  const commitEvent: DeliveryCalls['commitEvent'] = async () => {
    await transact(api.api.domain, institution.caller, (tx) => {
      tx.emit('exam.published', { exam_id: 'exm_1', faculty_id: 'fac_1', app: 'svc' });
      return Promise.resolve();
    });
    const { data } = await api.call('GET', '/events', { key: institution.apiKey, query: { type: 'exam.published', limit: 200 } });
    return data.items.at(-1);
  };
  return {
    get: (id) => api.call('GET', `/webhooks/deliveries/${id}`, { key: institution.apiKey }),
    stored: async (id) => (await deliveriesOf(api, endpoint.id)).get(id),
    commitEvent,
    seed: async (fields = {}) => {
      const event = await commitEvent();
      return endpoint.seedDelivery({ eventId: event.id, eventType: 'exam.published', eventCreatedAt: new Date(event.created_at), ...fields });
    },
  };
}
