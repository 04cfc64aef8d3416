import type { RunningWorker } from '../../activities/start';
import { startTestApi, type TestApi } from '../support/api';
import { answered200, createStudents } from '../support/calls';
import { plantEndpoint } from '../support/endpoints';
import { eventually } from '../support/eventually';
import { openPrograms, type Programs } from '../support/programs';
import { startReceiver, type Receiver } from '../support/receiver';
import { announcedEvents, notWhole, studentTraces } from '../support/traces';
import { startTestWorker } from '../support/worker';

const clients = 16;
const callsBeforeTheKill = 200;
/** Some are begun after the kill, so that there are always calls that get no answer. */
const callsInAll = 240;

let receiver: Receiver;
let api: TestApi;
let worker: RunningWorker;
let programs: Programs;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  worker = await startTestWorker(api.settings);
  programs = openPrograms();
});

afterAll(async () => {
  await programs.end();
  await worker.stop();
  await api.stop();
  await receiver.close();
});

it('kill -9 of the API in a burst: what was answered 200 is there and announced, what was cut off is whole or not there', async () => {
  const { sql } = api.api.domain.database;
  const north = await api.institution();
  await plantEndpoint(api, north, receiver.url);
  const killed = await programs.api(api.settings);
  let killing: Promise<void> | undefined;
  const calls = await createStudents({
    baseUrl: killed.baseUrl,
    apiKey: north.apiKey,
    clients,
    goOn: (begun) => {
      if (begun >= callsBeforeTheKill) killing ??= killed.kill();
      return begun < callsInAll;
    },
  });
  await killing;
  const answered = answered200(calls);
  const cutOff = calls.filter(({ status }) => status === undefined);
  expect(answered.length + cutOff.length).toBe(calls.length);
  expect([answered.length, cutOff.length].every((count) => count > 0)).toBe(true);

  const students = await studentTraces(sql, north.id);
  const kept = new Map(students.map((student) => [student.student_id, student.id]));
  expect(kept.size).toBe(students.length);
  expect(answered.filter(({ studentId, body }) => kept.get(studentId) !== body.data.id)).toEqual([]);
  expect(notWhole(students)).toEqual([]);
  expect(students.length - answered.length).toBeLessThanOrEqual(cutOff.length);

  const events = await announcedEvents(sql, north.id);
  expect(events).toHaveLength(students.length * 2);
  const arrived = () => receiver.received.map(({ headers }) => String(headers['webhook-id']));
  await eventually('every event at the receiver', () => events.every((id) => arrived().includes(id)));
  expect(arrived()).toHaveLength(events.length);

  const successor = await programs.api(api.settings);
  const more = await createStudents({ baseUrl: successor.baseUrl, apiKey: north.apiKey, clients: 1, goOn: (begun) => begun < 3 });
  expect(more.map(({ status }) => status)).toEqual([200, 200, 200]);
}, 40_000);
