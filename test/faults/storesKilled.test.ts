import { startTestApi, type TestApi } from '../support/api';
import { expectNoStuckDeliveries, expectAllCreated, expectAllDelivered, failedCalls, startBurst, type Burst } from '../support/burst';
import { circuitOf } from '../support/circuits';
import { eventually } from '../support/eventually';
import { startDedicatedPostgres, type DedicatedPostgres } from '../support/dedicatedPostgres';
import { startDedicatedRedis, type DedicatedRedis } from '../support/dedicatedRedis';
import { startDedicatedTemporal, type DedicatedTemporal } from '../support/dedicatedTemporal';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { startReceiver, type Receiver } from '../support/receiver';
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy';
import { closeTestTemporal } from '../support/temporal';

const hangMs = 10_000;
/** The first probes of an open circuit follow each other after 5 s. */
const backWithinMs = 30_000;

let postgres: DedicatedPostgres;
let redis: DedicatedRedis;
let temporal: DedicatedTemporal;
let receiver: Receiver;
let network: TcpProxy;
let api: TestApi;
let programs: Programs;
let subject: Program;
let worker: Program;

beforeAll(async () => {
  [postgres, redis, temporal, receiver] = await Promise.all([startDedicatedPostgres(), startDedicatedRedis(), startDedicatedTemporal(), startReceiver()]);
  network = await startTcpProxy(receiver.host);
  api = await startTestApi({
    webhookTrustedHosts: [receiver.host, network.address],
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    temporalAddress: temporal.address,
    temporalNamespace: temporal.namespace,
  });
  programs = openPrograms();
  [subject, worker] = await Promise.all([programs.api(api.settings), programs.worker(api.settings)]);
});

afterAll(async () => {
  await programs.end();
  await closeTestTemporal();
  await api.stop();
  await Promise.all([postgres.stop(), redis.stop(), temporal.stop()]);
  await network.close();
  await receiver.close();
});

const begin = (url = receiver.url): Promise<Burst> => startBurst(api, { receiver, url, baseUrl: () => subject.baseUrl });

/** Both processes have come through, and no call has hung. */
function expectAllUp({ calls }: Burst): void {
  expect([subject.ended(), worker.ended()]).toEqual([undefined, undefined]);
  expect(Math.max(...calls.map(({ ms }) => ms))).toBeLessThan(hangMs);
}

it.each([
  ['is killed', 'SIGKILL'],
  ['is restarted', 'SIGINT'],
] as const)('Postgres %s in a burst: every call is answered 200, 503 if nothing was done, or 500, no student is lost or half made, every event arrives', async (_how, signal) => {
  const burst = await begin();
  await burst.waitForMiddle();
  postgres.signal(signal);
  const events = await expectAllCreated(api, burst);
  const others = failedCalls(burst);
  expect(others.length).toBeGreaterThan(0);
  for (const { status, body, requestId } of others) {
    expect(`${status} ${body?.error}`).toMatch(/^(500 internal_error|503 rate_limiter_unavailable)$/);
    if (status === 500) expect(body.message).toContain(requestId);
  }
  expect(others.some(({ status }) => status === 503)).toBe(true);
  expectAllUp(burst);
  await expectNoStuckDeliveries(api, burst);
  await expectAllDelivered(api, burst, events);
});

it('kill -9 of Redis in a burst: calls are refused until it is back, and deliveries do not notice', async () => {
  const burst = await begin();
  await burst.waitForMiddle();
  redis.signal('SIGKILL');
  const events = await expectAllCreated(api, burst);
  const others = failedCalls(burst);
  expect(others.length).toBeGreaterThan(0);
  for (const { status, body } of others) expect([status, body?.error]).toEqual([503, 'rate_limiter_unavailable']);
  expectAllUp(burst);
  await expectNoStuckDeliveries(api, burst);
  await expectAllDelivered(api, burst, events, 0);
});

it('kill -9 of Temporal in a burst: no call notices, and what waited in it or in the outbox goes on when it is back', async () => {
  const burst = await begin();
  await burst.waitForMiddle();
  temporal.signal('SIGKILL');
  const events = await expectAllCreated(api, burst);
  expect(failedCalls(burst)).toEqual([]);
  expectAllUp(burst);
  await expectNoStuckDeliveries(api, burst);
  await expectAllDelivered(api, burst, events, 0);
});

it('the network to the receiver is cut in a burst: the circuit opens, what follows is held, and all of it arrives soon after the network is restored', async () => {
  const { sql } = api.api.domain.database;
  const burst = await begin(`http://${network.address}/hook`);
  await burst.waitForMiddle();
  await network.refuse();
  const events = await expectAllCreated(api, burst);
  expect(failedCalls(burst)).toEqual([]);
  await eventually('the circuit open', async () => (await circuitOf(sql, burst.endpointId)).circuit === 'open');
  await expectNoStuckDeliveries(api, burst);

  burst.stopRejecting();
  await network.resume();
  await eventually('the circuit closed', async () => (await circuitOf(sql, burst.endpointId)).circuit === 'closed', backWithinMs);
  await expectAllDelivered(api, burst, events);
});
