import type { TestApi, TestInstitution } from './api';
import { seedDelivery, type StoredDelivery } from './deliveries';
import { seedEndpoint } from './endpoints';
import { apiForAllTests, institutionForEachTest } from './sharedApi';

/** A test API, and on it an institution with an endpoint, new for each test. */
export interface CustomerFixture {
  readonly api: TestApi;
  readonly institution: TestInstitution;
  readonly endpointId: string;
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Writes a delivery to the endpoint; answers its id. */
  seedEndpointDelivery(fields?: Partial<StoredDelivery>): Promise<string>;
}

/** Starts an API for the tests of the file that calls it, and has each of them begin with a customer of its own. */
export function customerFixtureForEachTest(): CustomerFixture {
  const api = apiForAllTests();
  const institution = institutionForEachTest(api);
  let endpointId: string;

  beforeEach(async () => {
    endpointId = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
  });

  return {
    api,
    institution,
    get endpointId() {
      return endpointId;
    },
    sql: (text, values = []) => api.api.domain.database.sql(text, values),
    seedEndpointDelivery: (fields = {}) => seedDelivery(api, institution, endpointId, fields),
  };
}
