import type { DeliveryEntity } from '../../db/entities/delivery';
import type { TestApi, TestInstitution } from './api';
import { plantDelivery } from './deliveries';
import { plantEndpoint } from './endpoints';
import { apiOfAllTests, institutionOfEachTest } from './sharedApi';

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
  const api = apiOfAllTests();
  const north = institutionOfEachTest(api);
  let endpointId: string;

  beforeEach(async () => {
    endpointId = await plantEndpoint(api, north, 'https://hooks.north.example/in');
  });

  return {
    api,
    north,
    get endpointId() {
      return endpointId;
    },
    sql: (text, values = []) => api.api.domain.database.sql(text, values),
    planted: (fields = {}) => plantDelivery(api, north, endpointId, fields),
  };
}
