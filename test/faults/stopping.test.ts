import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { closeTimeoutMs, abortGraceMs } from '../../config/shutdown';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { circuitOf } from '../support/circuits';
import { deliveriesOf } from '../support/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { withLockedRows } from '../support/lockedRows';
import { startReceiver, type Receiver } from '../support/receiver';
import { waitUntilPolling, startTestWorker } from '../support/worker';

/** Longer than a worker had for its drain before there was a setting. */
const heldMs = 4_300;

let receiver: Receiver;
let api: TestApi;
let institution: TestInstitution;
let endpointId: string;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
});

beforeEach(async () => {
  receiver.received.length = 0;
  institution = await api.institution();
  endpointId = await seedEndpoint(api, institution, receiver.url, { events: ['student.created'] });
});

afterAll(async () => {
  await api.stop();
  await receiver.close();
});

const createStudent = () => api.call('POST', '/students', { key: institution.apiKey, body: {} });
const isNow = (status: string) => async () => [...(await deliveriesOf(api, endpointId)).values()].find((delivery) => delivery.status === status);

/** Refuses the first attempt of a delivery and has its second one in flight, which the workflow makes. */
async function retryInFlight(answer: () => Promise<number>): Promise<void> {
  receiver.respond = (_received, nth) => (nth === 1 ? 500 : answer());
  await createStudent();
  const { id } = await eventually('a refused delivery', isNow('retrying'));
  await api.platform('POST', `/institutions/${institution.id}/deliveries/${id}/retry`);
  await eventually('its retry', () => receiver.received.length === 2);
}

it('a worker that is stopped lets a retry end within its shutdown timeout and writes it: it is posted once, though another worker has begun', async () => {
  const gate = new EventEmitter();
  const leaving = await startTestWorker({ ...api.settings, shutdownTimeoutMs: 20_000 });
  await retryInFlight(async () => {
    await once(gate, 'open');
    return 200;
  });
  const stopped = leaving.stop();
  const heir = await Promise.all([startTestWorker(api.settings), pause(heldMs)]).then(([worker]) => worker);
  try {
    await withLockedRows(api, 'SELECT 1 FROM open_deliveries WHERE endpoint_id = $1 FOR UPDATE', [endpointId], async (held) => {
      gate.emit('open');
      await held.waitForBlocked();
    });
    await stopped;
    expect(await isNow('delivered')()).toMatchObject({ attempts: 2, claimedBy: null });
    expect(await circuitOf(api.api.domain.database.sql, endpointId)).toMatchObject({ consecutive_failures: 0 });
    await waitUntilPolling(heir);
    expect(receiver.received).toHaveLength(2);
  } finally {
    await heir.stop();
  }
});

it('a first attempt that cannot be written at once when its worker stops is written once it can be, and is not made again', async () => {
  const { sql } = api.api.domain.database;
  const gate = new EventEmitter();
  receiver.respond = async () => {
    await once(gate, 'open');
    return 200;
  };
  const worker = await startTestWorker({ ...api.settings, shutdownTimeoutMs: 20_000 });
  await createStudent();
  await eventually('its attempt', () => receiver.received.length === 1);
  const stopped = worker.stop();
  await withLockedRows(api, 'SELECT 1 FROM open_deliveries WHERE endpoint_id = $1 FOR UPDATE', [endpointId], async (held) => {
    gate.emit('open');
    await held.waitForBlocked();
    await eventually('the lock given up', async () => (await sql("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")).length === 0);
    await held.waitForBlocked();
  });
  await stopped;
  expect(await isNow('delivered')()).toMatchObject({ attempts: 1, claimedBy: null });
});

it('a worker whose receivers never answer has stopped when its time is over', async () => {
  const worker = await startTestWorker({ ...api.settings, shutdownTimeoutMs: 300 });
  await retryInFlight(() => new Promise(() => undefined));
  await createStudent();
  await eventually('a first attempt', () => receiver.received.length === 3);
  const began = performance.now();
  await worker.stop();
  expect(performance.now() - began).toBeLessThan(300 + abortGraceMs + closeTimeoutMs);
});
