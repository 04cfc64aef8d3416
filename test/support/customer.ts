import type { DeliveryEntity } from '../../db/entities/delivery';
import { startTestApi, type TestApi, type TestInstitution } from './api';
import { plantDelivery } from './deliveries';
import { plantEndpoint } from './endpoints';

/** A test API, and on it an institution with an endpoint, new for each test. */
export interface Customer {
  readonly api: TestApi;
  readonly north: TestInstitution;
  readonly endpointId: string;
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Writes a delivery to the endpoint; answers its id. */
  planted(fields?: Partial<DeliveryEntity>): Promise<string>;
}

/** Starts an API for the tests of the file that calls it, and has each of them begin with a customer of its own. */
export function customerOfEachTest(): Customer {
  let api: TestApi;
  let north: TestInstitution;
  let endpointId: string;

  beforeAll(async () => {
    api = await startTestApi();
  });

  beforeEach(async () => {
    north = await api.institution();
    endpointId = await plantEndpoint(api, north, 'https://hooks.north.example/in');
  });

  afterAll(() => api.stop());

  return {
    get api() {
      return api;
    },
    get north() {
      return north;
    },
    get endpointId() {
      return endpointId;
    },
    sql: (text, values = []) => api.api.domain.database.sql(text, values),
    planted: (fields = {}) => plantDelivery(api, north, endpointId, fields),
  };
}
