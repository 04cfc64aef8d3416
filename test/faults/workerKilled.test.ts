import { setTimeout as pause } from 'node:timers/promises';
import { startTestApi, type TestApi } from '../support/api';
import { answered200, createStudents } from '../support/calls';
import { plantEndpoint } from '../support/endpoints';
import { eventually } from '../support/eventually';
import { openPrograms, type Programs } from '../support/programs';
import { startReceiver, type Receiver } from '../support/receiver';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { announcedEvents, countByStatus, lapseClaims } from '../support/traces';

const students = 250;
/** The widest that the lane of an endpoint becomes: so many attempts at most were in flight. */
const widestLane = 64;

let receiver: Receiver;
let api: TestApi;
let programs: Programs;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  programs = openPrograms();
});

afterAll(async () => {
  await programs.end();
  await closeTestTemporal();
  await api.stop();
  await receiver.close();
});

/** A receiver that takes its time, refuses every tenth event at first and counts how often it took each. */
function forgetfulReceiver(): { taken: Map<string, number>; refused: Set<string> } {
  const refused = new Set<string>();
  const taken = new Map<string, number>();
  receiver.answer = async ({ headers }) => {
    const id = String(headers['webhook-id']);
    await pause(20);
    if (!refused.has(id) && !taken.has(id) && (refused.size + taken.size) % 10 === 0) {
      refused.add(id);
      return 500;
    }
    taken.set(id, (taken.get(id) ?? 0) + 1);
    return 200;
  };
  return { taken, refused };
}

const retrying = (institutionId: string) =>
  api.api.domain.database.sql<{ id: string; event_id: string }>(
    "SELECT id, event_id FROM webhook_deliveries WHERE institution_id = $1 AND status = 'retrying'",
    [institutionId],
  );

it('kill -9 of the worker in a burst: nothing is lost, only attempts in flight are repeated, every delivery ends or waits', async () => {
  const { sql } = api.api.domain.database;
  const { client } = openTestTemporal(api.settings);
  const north = await api.institution();
  await plantEndpoint(api, north, receiver.url);
  const { taken, refused } = forgetfulReceiver();

  const killed = await programs.worker(api.settings);
  const bursting = createStudents({ baseUrl: api.baseUrl, apiKey: north.apiKey, clients: 16, goOn: (begun) => begun < students });
  await eventually('the middle of the burst', () => taken.size >= 150, 20_000);
  await killed.kill();
  expect(answered200(await bursting)).toHaveLength(students);
  expect(await lapseClaims(sql)).toBeGreaterThan(0);

  const successor = await programs.worker(api.settings);
  const events = await announcedEvents(sql, north.id);
  expect(events).toHaveLength(students * 2);
  await eventually('an attempt of every delivery', async () => {
    const statuses = Object.keys(await countByStatus(sql, north.id));
    return statuses.every((status) => status === 'delivered' || status === 'retrying');
  });
  const waiting = await retrying(north.id);
  await eventually('a workflow for every delivery that waits', async () => {
    const statuses = await Promise.all(waiting.map(({ id }) => client.workflow.getHandle(id).describe().then(({ status }) => status.name, () => 'none')));
    return statuses.every((status) => status === 'RUNNING' || status === 'COMPLETED');
  });
  const neither = events.filter((id) => !taken.has(id) && !waiting.some(({ event_id }) => event_id === id));
  expect(neither).toEqual([]);
  const repeated = [...taken.values()].reduce((sum, times) => sum + times - 1, 0);
  expect(repeated).toBeLessThanOrEqual(widestLane);
  expect(refused.size).toBeGreaterThan(10);

  expect(await successor.stop()).toMatchObject({ code: 0, signal: null });
}, 60_000);
