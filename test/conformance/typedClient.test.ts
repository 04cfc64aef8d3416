import type { RunningWorker } from '../../worker/start';
import { InstitutionClient, InstitutionError, verifyWebhook, type Event, type Student } from '../../clients/typescript/src';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { startResponseDroppingProxy, type ResponseDroppingProxy } from '../support/responseDroppingProxy';
import { startReceiver, type Receiver } from '../support/receiver';
import { waitUntilPolling, startTestWorker } from '../support/worker';

// A day at a small school, played through the typed client alone, over a way on which answers get lost.

const pupils = 25;

let api: TestApi;
let worker: RunningWorker;
let receiver: Receiver;
let way: ResponseDroppingProxy;
let institution: TestInstitution;
let client: InstitutionClient;
let students: Student[];
let endpoint: { id: string; secret: string };
/** Events from before there was an endpoint. */
let earlier: number;

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const eventsUntilNow = async (): Promise<Event[]> => (await collected(client.feed({ limit: 10 }))).flatMap(({ items }) => items);

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
  institution = await api.institution();
  way = await startResponseDroppingProxy(api.baseUrl);
  client = new InstitutionClient({ baseUrl: way.baseUrl, apiKey: institution.apiKey });
  earlier = (await eventsUntilNow()).length;
  endpoint = await client.call('POST', '/webhooks/endpoints', { body: { url: receiver.url, events: ['*'] } });
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  await way.close();
  await receiver.close();
});

it('in the morning the pupils are provisioned, and found again page by page', async () => {
  const { created } = await client.call('POST', '/students/bulk', { body: { students: Array.from({ length: pupils }, (_, nth) => ({ student_id: `SIS-${nth}` })) } });
  students = await collected(client.paginate('/students', { query: { limit: 10 } }));
  expect([created, students.length, new Set(students.map(({ student_id }) => student_id)).size]).toEqual([pupils, pupils, pupils]);
});

it('then a teacher has a group and an exam, whose files, students and scores the types know', async () => {
  const teacher = await client.call('POST', '/faculty', { body: { full_name: 'Grace Hopper' } });
  const group = await client.call('POST', '/groups', { body: { name: 'Class 7b', faculty_id: teacher.id, student_ids: students.map(({ id }) => id) } });
  const draft = await client.call('POST', '/exams', { body: { faculty_id: teacher.id, title: 'Algebra', publish: false, group_ids: [group.id] } });
  const file = await client.call('POST', '/exams/{id}/files', { path: { id: draft.id }, form: { file: new File(['hello'], 'starter.zip', { type: 'application/zip' }) } });
  expect(file).toMatchObject({ size: 5, filename: 'starter.zip' });
  const exam = await client.call('POST', '/exams/{id}/publish', { path: { id: draft.id } });
  expect([exam.status, exam.stats.assigned]).toEqual(['published', pupils]);
  const csv = await client.call('GET', '/exams/{id}/export.csv', { path: { id: exam.id } });
  expect(csv.trimEnd().split('\r\n')).toHaveLength(pupils + 1);
});

it('at noon a prize is credited once, although two answers about it get lost', async () => {
  await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 10_000 } });
  const [{ login_email: email } = { login_email: '' }] = students;
  way.dropNextResponses(2);
  const credit = await client.call('POST', '/merits/credits', { body: { email, amount_cents: 500, ref: 'prize-1' } });
  expect(credit).toMatchObject({ applied: true, balance_cents: 500, allowance_cents: 9_500 });
  const wallet = await client.call('GET', '/merits/wallets/{email}', { path: { email } });
  expect(wallet.moves.map(({ ref, amount_cents }) => [ref, amount_cents])).toEqual([['prize-1', 500]]);
});

it('a pupil who comes later, the answer about whom gets lost, is created once: the client repeats the call with its key', async () => {
  way.dropNextResponses(1);
  const created = await client.call('POST', '/students', { body: { student_id: 'SIS-late' } });
  expect(created.student_id).toBe('SIS-late');
  const { items, total } = await client.call('GET', '/students', { query: { student_id: 'SIS-late' } });
  expect([total, items[0]?.status]).toEqual([1, 'pending']);
});

it('error responses become one error, in the API\'s words', async () => {
  const refused = async (call: Promise<unknown>): Promise<InstitutionError> => {
    const error: unknown = await call.then(() => undefined, (raised: unknown) => raised);
    if (!(error instanceof InstitutionError)) throw new Error('The API has not refused', { cause: error });
    return error;
  };
  const license_days = 4_000;
  expect(await refused(client.call('POST', '/students', { body: { license_days } }))).toMatchObject({
    status: 422, code: 'validation_error', issues: [{ path: 'license_days' }], requestId: expect.stringMatching(/^req_/),
  });
  expect(await refused(client.call('GET', '/students/{id}', { path: { id: 'a/../b' } }))).toMatchObject({ status: 404, code: 'not_found' });
  const stranger = new InstitutionClient({ baseUrl: api.baseUrl, apiKey: `svc_live_${'0'.repeat(32)}` });
  expect(await refused(stranger.call('GET', '/me'))).toMatchObject({ status: 401, code: 'invalid_api_key' });
});

it('in the evening the feed and the webhooks tell the same, every delivery genuine', async () => {
  const events = (await eventsUntilNow()).slice(earlier);
  expect(events.filter(({ type }) => type === 'student.created')).toHaveLength(pupils + 1);
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['exam.published', 'exam.assigned', 'merits.credited']));
  await eventually('every event at the receiver', () => receiver.received.length >= events.length);
  const verified = receiver.received.map(({ headers, body }) => [headers['webhook-id'], verifyWebhook(body, String(headers['x-svc-signature']), endpoint.secret).id]);
  expect(verified.sort()).toEqual(events.map(({ id }) => [id, id]).sort());
  const deliveries = await eventually('every delivery on record', async () => {
    const all = await collected(client.paginate('/webhooks/deliveries', { query: { endpoint_id: endpoint.id } }));
    return all.every(({ status }) => status === 'delivered') && all;
  });
  expect(deliveries).toHaveLength(events.length);
});

it('a replay whose answer gets lost is sent once', async () => {
  const { items: [delivery] } = await client.call('GET', '/webhooks/deliveries', { query: { limit: 1 } });
  const before = receiver.received.length;
  way.dropNextResponses(1);
  const replayed = await client.call('POST', '/webhooks/deliveries/{id}/replay', { path: { id: delivery?.id ?? '' }, body: { ref: 'again' } });
  expect(replayed.applied).toBe(true);
  await eventually('the replayed delivery', () => receiver.received.length > before);
  expect(receiver.received.slice(before).map(({ headers }) => headers['x-svc-delivery-id'])).toEqual([delivery?.id]);
});
