import type { Settings } from '../../config/settings';
import { startWorker, type RunningWorker } from '../../worker/start';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import type { ApiResponse, TestInstitution } from './api';
import { appFixture, type AppFixture } from './appFixture';
import { eventually } from './eventually';
import { findValues, keptLog, type SearchedStores } from './findValues';
import { startReceiver, type Receiver } from './receiver';
import { closeTestTemporal, openTestTemporal } from './temporal';
import { waitUntilPolling } from './worker';

/** An API and a worker whose log is kept, and a receiver of webhooks. */
export interface ErasureFixture extends AppFixture {
  readonly temporal: TemporalConnection;
  readonly receiver: Receiver;
  /** The places that have one of these values. */
  whereAre(values: readonly string[]): Promise<string[]>;
  /** Calls `POST …/erase` and waits for the certificate; returns the erasure. */
  erase(path: string, options?: { institution?: TestInstitution; idempotencyKey?: string; id?: string }): Promise<ApiResponse['data']>;
}

/** Stores of the calling file's own, which its hooks start before those of the fixture. */
export interface OwnStores {
  settings: Partial<Settings>;
  searched: Pick<SearchedStores, 'bucketFolder' | 'logFiles'>;
}

/** Starts everything for the tests of the calling file. */
export function erasureFixture(ownStores: () => OwnStores = () => ({ settings: {}, searched: {} })): ErasureFixture {
  const { logger, lines } = keptLog();
  let receiver: Receiver;
  let worker: RunningWorker;
  let temporal: TemporalConnection;

  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await closeTestTemporal();
    await worker.stop();
  });
  const fixture = appFixture({ logger, settings: () => ({ webhookTrustedHosts: [receiver.host], ...ownStores().settings }) });
  const { api, institution } = fixture;
  beforeAll(async () => {
    temporal = openTestTemporal(api.settings);
    worker = await startWorker(api.settings, logger);
    await waitUntilPolling(worker);
  });
  afterAll(() => receiver.close());

  return {
    ...fixture,
    get temporal() {
      return temporal;
    },
    get receiver() {
      return receiver;
    },
    whereAre: (values) =>
      findValues({
        api, temporal, log: lines, ...ownStores().searched,
        metricsUrls: [`http://127.0.0.1:${api.api.platformPort}/metrics`, `http://127.0.0.1:${worker.port}/metrics`],
      }, values),
    erase: async (path, { institution: owner = institution, idempotencyKey, id } = {}) => {
      const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      const { status, body, data } = await api.call('POST', `${path}/erase`, { key: owner.apiKey, headers });
      if (status !== 200) throw new Error(`No erasure: ${status} ${JSON.stringify(body)}`);
      const found = id === undefined ? path : `${path.slice(0, path.lastIndexOf('/'))}/${id}`;
      return eventually(`the erasure of ${data.person.id}`, async () => {
        const erasure = (await api.call('GET', `${found}/erasure`, { key: owner.apiKey })).data;
        return erasure.status === 'done' && erasure;
      });
    },
  };
}
