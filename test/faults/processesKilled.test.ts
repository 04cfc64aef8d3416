import { startTestApi, type TestApi } from '../support/api';
import { expectNoStuckDeliveries, expectAllCreated, expectAllDelivered, failedCalls, startBurst, receivedRepeatedly, type Burst } from '../support/burst';
import { createStudents } from '../support/calls';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { startReceiver, type Receiver } from '../support/receiver';
import { closeTestTemporal } from '../support/temporal';
import { expireClaims } from '../support/studentRecords';

let receiver: Receiver;
let api: TestApi;
let programs: Programs;
let subject: Program;
let worker: Program;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  programs = openPrograms();
  [subject, worker] = await Promise.all([programs.api(api.settings), programs.worker(api.settings)]);
});

afterAll(async () => {
  await programs.end();
  await closeTestTemporal();
  await api.stop();
  await receiver.close();
});

const begin = (): Promise<Burst> => startBurst(api, { receiver, baseUrl: () => subject.baseUrl });

// Contract: webhooks.delivery.at-least-once
it('kill -9 of the worker in a burst: nothing is lost, only attempts in flight are repeated, every delivery ends or waits', async () => {
  const { sql } = api.api.domain.database;
  const burst = await begin();
  await burst.waitForMiddle();
  await worker.kill();
  const events = await expectAllCreated(api, burst);
  expect(failedCalls(burst)).toEqual([]);
  const inFlight = await sql<{ event_id: string }>('SELECT event_id FROM deliveries WHERE claimed_by IS NOT NULL');
  expect(await expireClaims(sql)).toBeGreaterThan(0);

  worker = await programs.worker(api.settings);
  await expectNoStuckDeliveries(api, burst);
  await expectAllDelivered(api, burst, events);
  expect(inFlight.map(({ event_id }) => event_id)).toEqual(expect.arrayContaining(receivedRepeatedly(burst)));
});

it('a worker that is asked to stop in a burst leaves no claim behind, and its successor repeats nothing', async () => {
  const { sql } = api.api.domain.database;
  const burst = await begin();
  await burst.waitForMiddle();
  expect(await worker.stop()).toMatchObject({ code: 0, signal: null });
  expect(await sql('SELECT id, status FROM deliveries WHERE claimed_by IS NOT NULL')).toEqual([]);

  worker = await programs.worker(api.settings);
  const events = await expectAllCreated(api, burst);
  await expectNoStuckDeliveries(api, burst);
  await expectAllDelivered(api, burst, events, 0);
});

it('kill -9 of the API in a burst: what was answered 200 is there and announced, what was cut off is whole or not there', async () => {
  const burst = await begin();
  await burst.waitForMiddle();
  await subject.kill();
  subject = await programs.api(api.settings);
  const events = await expectAllCreated(api, burst);
  const cutOff = failedCalls(burst);
  expect(cutOff.length).toBeGreaterThan(0);
  expect(new Set(cutOff.map(({ status }) => status))).toEqual(new Set([undefined]));
  await expectNoStuckDeliveries(api, burst);
  await expectAllDelivered(api, burst, events, 0);

  const more = await createStudents({ baseUrl: subject.baseUrl, apiKey: burst.institution.apiKey, clients: 1, shouldContinue: (begun) => begun < 3 });
  expect(more.map(({ status }) => status)).toEqual([200, 200, 200]);
});
