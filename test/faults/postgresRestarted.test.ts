import { setTimeout as pause } from 'node:timers/promises';
import { startTestApi, type TestApi } from '../support/api';
import { answered200, createStudents } from '../support/calls';
import { plantEndpoint } from '../support/endpoints';
import { eventually } from '../support/eventually';
import { startOwnPostgres, type OwnPostgres } from '../support/ownPostgres';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { startReceiver, type Receiver } from '../support/receiver';
import { announcedEvents, lapseClaims, notWhole, studentTraces } from '../support/traces';

const clients = 8;
const hangMs = 10_000;

let postgres: OwnPostgres;
let receiver: Receiver;
let api: TestApi;
let programs: Programs;
let subject: Program;
let worker: Program;

beforeAll(async () => {
  [postgres, receiver] = await Promise.all([startOwnPostgres(), startReceiver()]);
  api = await startTestApi({ webhookTrustedHosts: [receiver.host], databaseUrl: postgres.url });
  programs = openPrograms();
  [subject, worker] = await Promise.all([programs.api(api.settings), programs.worker(api.settings)]);
}, 60_000);

afterAll(async () => {
  await programs.end();
  await api.stop();
  await postgres.stop();
  await receiver.close();
});

it.each([
  ['is killed', 'SIGKILL'],
  ['is restarted', 'SIGINT'],
] as const)('Postgres %s under load: every call is answered 200 or 500, no student is lost or half made, every event arrives', async (_how, signal) => {
  const { sql } = api.api.domain.database;
  const north = await api.institution();
  await plantEndpoint(api, north, receiver.url);
  let healthy = 0;
  let over = false;
  const calling = createStudents({
    baseUrl: subject.baseUrl,
    apiKey: north.apiKey,
    clients,
    goOn: () => !over,
    onCall: ({ status }) => {
      healthy = status === 200 ? healthy + 1 : 0;
    },
  });
  await eventually('calls that go well', () => healthy >= 100);
  postgres.signal(signal);
  await eventually('a call that does not go well', () => healthy < 50);
  await eventually('calls that go well again', () => healthy >= 100, 15_000);
  over = true;
  const calls = await calling;

  const others = calls.filter(({ status }) => status !== 200);
  expect(others.length).toBeGreaterThan(0);
  for (const { status, body, requestId } of others) {
    expect([status, body?.error]).toEqual([500, 'internal_error']);
    expect(body.message).toContain(requestId);
  }
  expect(Math.max(...calls.map(({ ms }) => ms))).toBeLessThan(hangMs);
  expect([subject.ended(), worker.ended()]).toEqual([undefined, undefined]);

  const students = await studentTraces(sql, north.id);
  const kept = new Map(students.map((student) => [student.student_id, student.id]));
  expect(kept.size).toBe(students.length);
  expect(answered200(calls).filter(({ studentId, body }) => kept.get(studentId) !== body.data.id)).toEqual([]);
  expect(notWhole(students)).toEqual([]);

  const events = await announcedEvents(sql, north.id);
  expect(events).toHaveLength(students.length * 2);
  await pause(1_000);
  await lapseClaims(sql);
  const missing = () => {
    const arrived = new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])));
    return events.filter((id) => !arrived.has(id));
  };
  await eventually('every event at the receiver', () => missing().length === 0);
  await eventually('every delivery written', async () => (await sql("SELECT 1 FROM webhook_deliveries WHERE status <> 'delivered'")).length === 0);
}, 40_000);
