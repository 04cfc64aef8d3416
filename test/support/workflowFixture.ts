import type { RunningWorker } from '../../worker/start';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import { startTestApi, type TestApi, type TestInstitution } from './api';
import { startReceiver, type Receiver } from './receiver';
import { closeTestTemporal, openTestTemporal } from './temporal';
import { waitUntilPolling, startTestWorker } from './worker';

/** An API and a worker as they run for real, and an institution, new for each test. */
export interface WorkflowFixture {
  readonly api: TestApi;
  readonly institution: TestInstitution;
  readonly temporal: TemporalConnection;
  /** Webhooks may go to it; before each test it has received nothing, and answers 200. */
  readonly receiver: Receiver;
}

/** Starts both for the tests of the file that calls it, the worker ready to take tasks, and has each test begin with an institution of its own. */
export function workflowFixtureForEachTest(): WorkflowFixture {
  let api: TestApi;
  let institution: TestInstitution;
  let temporal: TemporalConnection;
  let receiver: Receiver;
  let worker: RunningWorker;

  beforeAll(async () => {
    receiver = await startReceiver();
    api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
    temporal = openTestTemporal(api.settings);
    worker = await startTestWorker(api.settings);
    await waitUntilPolling(worker);
  });

  beforeEach(async () => {
    receiver.received.length = 0;
    receiver.respond = () => 200;
    institution = await api.institution();
  });

  afterAll(async () => {
    await closeTestTemporal();
    await worker.stop();
    await api.stop();
    await receiver.close();
  });

  return {
    get api() {
      return api;
    },
    get institution() {
      return institution;
    },
    get temporal() {
      return temporal;
    },
    get receiver() {
      return receiver;
    },
  };
}
