import { setTimeout as pause } from 'node:timers/promises';
import type { RunningWorker } from '../../activities/start';
import { type DeliveryEntity } from '../../db/entities/delivery';
import type { Sql } from '../../db/statement';
import { readPlan } from '../../domain/webhooks/deliveryPlan';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { createStudents } from '../support/calls';
import { deliveriesOf, plantDelivery } from '../support/deliveries';
import { plantEndpoint } from '../support/endpoints';
import { eventually } from '../support/eventually';
import { refuseFirst, startReceiver, type Receiver } from '../support/receiver';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { startTestWorker } from '../support/worker';

/** The stream ends here; the retries of what it lost fall due 5 s after. */
const streamMs = 2_500;
const racesMs = 7_500;

let receiver: Receiver;
let api: TestApi;
let north: TestInstitution;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
});

afterAll(async () => {
  await closeTestTemporal();
  await api.stop();
  await receiver.close();
});

beforeEach(async () => {
  north = await api.institution();
});

const turn = (endpointId: string, status: 'active' | 'paused') =>
  api.call('PATCH', `/webhooks/endpoints/${endpointId}`, { key: north.apiKey, body: { status } });

/** The database, but that `between` happens after the first statement that is run on it. */
function interrupted(sql: Sql, between: () => Promise<unknown>): Sql {
  let first = true;
  return async (query, values) => {
    const rows = await sql(query, values);
    if (first) {
      first = false;
      await between();
    }
    return rows as never;
  };
}

it('a workflow that reads of a pause as it ends holds nothing', async () => {
  const endpointId = await plantEndpoint(api, north, receiver.url, { status: 'paused', pausedAt: new Date() });
  const soon = new Date(Date.now() + 60_000);
  const id = await plantDelivery(api, north, endpointId, { status: 'retrying', attempts: 1, firstAttemptAt: new Date(), nextAttemptAt: soon, deadlineAt: soon });
  const sql = interrupted(api.api.domain.database.sql, () => turn(endpointId, 'active'));
  const plan = await readPlan(sql, { deliveryId: id, institutionId: north.id, cycle: 1 }, new Date());
  expect(plan).toMatchObject({ state: 'retrying', nextAttemptAtMs: soon.getTime() });
  expect((await deliveriesOf(api, endpointId)).get(id)?.status).toBe('retrying');
});

describe('with a worker', () => {
  let worker: RunningWorker;

  beforeAll(async () => {
    worker = await startTestWorker(api.settings);
  });

  afterAll(() => worker.stop());

  /** Pauses and resumes at random until it is told to end; ends with the endpoint active. */
  async function flicker(endpointId: string, goOn: () => boolean): Promise<void> {
    while (goOn()) {
      await turn(endpointId, 'paused');
      await pause(Math.random() * 150);
      await turn(endpointId, 'active');
      await pause(Math.random() * 150);
    }
  }

  /** Makes an endpoint, deletes it a moment later, and again; answers all of them. */
  async function comeAndGo(goOn: () => boolean): Promise<string[]> {
    const gone: string[] = [];
    while (goOn()) {
      const id = await plantEndpoint(api, north, receiver.url);
      gone.push(id);
      await pause(Math.random() * 300);
      if (Math.random() < 0.5) await turn(id, 'paused');
      await pause(Math.random() * 100);
      await api.call('DELETE', `/webhooks/endpoints/${id}`, { key: north.apiKey });
    }
    return gone;
  }

  const open = (rows: Iterable<DeliveryEntity>) => [...rows].filter(({ status }) => !['delivered', 'cancelled', 'dead'].includes(status));

  it('pauses, resumes and deletions at random against a stream of events: in the end nothing is held, pending or lost', async () => {
    const steady = await Promise.all([1, 2].map(() => plantEndpoint(api, north, receiver.url)));
    receiver.answer = refuseFirst(0.2);
    const begun = Date.now();
    const before = (ms: number) => () => Date.now() - begun < ms;
    const [calls, gone] = await Promise.all([
      createStudents({ baseUrl: api.baseUrl, apiKey: north.apiKey, clients: 3, goOn: before(streamMs) }),
      comeAndGo(before(streamMs)),
      ...steady.map((id) => flicker(id, before(racesMs))),
    ]);
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]));

    for (const id of steady) {
      await eventually('all of it delivered', async () => open((await deliveriesOf(api, id)).values()).length === 0, 8_000).catch(async (error: unknown) => {
        throw new Error(JSON.stringify(open((await deliveriesOf(api, id)).values())), { cause: error });
      });
      const rows = [...(await deliveriesOf(api, id)).values()];
      expect(rows).toHaveLength(calls.length * 2);
      expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['delivered']));
      const arrived = new Set(receiver.received.map(({ headers }) => String(headers['x-svc-delivery-id'])));
      expect(rows.filter((row) => !arrived.has(row.id))).toEqual([]);
    }
    const { client } = openTestTemporal(api.settings);
    for (const id of gone) {
      const rows = [...(await deliveriesOf(api, id)).values()];
      expect(open(rows)).toEqual([]);
      for (const row of rows.filter(({ status, attempts }) => status === 'cancelled' && attempts > 0)) {
        await eventually('the end of its workflow', () => client.workflow.getHandle(row.id).describe().then(({ status }) => status.name === 'COMPLETED'));
      }
    }
    expect(gone.length).toBeGreaterThan(0);
  }, 40_000);
});
