import { eventTypeNames as serviceTypes } from '../../domain/events/eventTypes';
import { eventTypeNames } from '../../cli/eventTypes';
import { triggers } from '../../cli/trigger/triggers';
import type { RunningWorker } from '../../worker/start';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import type { CommandLine } from '../support/commandLine';
import { keyCommandLine } from '../support/keyCommandLine';
import { startReceiver, type Receiver } from '../support/receiver';
import { openSandboxOf, type TestSandbox } from '../support/sandboxes';
import { startTestWorker } from '../support/worker';

interface TriggerResult {
  type: string;
  calls: string[];
  items: { id: string; type: string; data: Record<string, unknown> }[];
}

let api: TestApi;
let worker: RunningWorker;
let receiver: Receiver;
let institution: TestInstitution;
let sandbox: TestSandbox;
let cli: CommandLine;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  worker = await startTestWorker(api.settings);
  institution = await api.institution();
  sandbox = await openSandboxOf(api, institution);
  cli = keyCommandLine(api, sandbox.key);
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  await receiver.close();
});

const trigger = (...args: string[]): Promise<TriggerResult> => cli.json('trigger', ...args);

const inFeed = eventTypeNames.filter((type) => type !== 'ping' && 'cause' in triggers[type]);
const unavailable = eventTypeNames.filter((type) => 'unavailable' in triggers[type]);

it('every event type of the service is triggered, or says why it is not', async () => {
  const { data } = await sandbox.call('GET', '/events/types');
  expect([...eventTypeNames].sort()).toEqual(data.items.map(({ type }: { type: string }) => type).sort());
  expect([...inFeed, ...unavailable, 'ping'].sort()).toEqual([...serviceTypes].sort());
  expect(unavailable).toEqual(['faculty.profile_completed', 'endpoint.failing', 'endpoint.recovered', 'endpoint.disabled']);
});

it.each(inFeed)('%s really happens', async (type) => {
  const { items, calls } = await trigger(type);
  expect(items.map((event) => event.type)).toContain(type);
  expect(calls.length).toBeGreaterThan(0);
  const { data } = await sandbox.call('GET', `/events?type=${type}&limit=200`);
  expect(data.items.map(({ id }: { id: string }) => id)).toContain(items.find((event) => event.type === type)?.id);
});

it.each(unavailable)('%s is not triggered, and the command says what does it', async (type) => {
  const ran = await cli.run('trigger', type);
  expect(ran).toEqual({ code: 1, out: '', err: expect.stringMatching(/^not_triggerable: (A teacher completes|It happens to an endpoint) .+\n$/) });
});

it('an event is about the student who is given', async () => {
  const { data: student } = await sandbox.call('POST', '/students', { full_name: 'Ada' });
  for (const type of ['student.updated', 'merits.credited', 'exam.graded', 'alpha.badge_granted']) {
    const { items } = await trigger(type, '--student', student.id);
    expect(Object.values(items.find((event) => event.type === type)?.data ?? {})).toContain(student.id);
  }
});

it('a ping goes to the only endpoint, or to the one that is named, and is no event of the feed', async () => {
  expect(await cli.run('trigger', 'ping')).toEqual({ code: 2, out: '', err: expect.stringMatching(/^usage: A ping goes to an endpoint, and the sandbox has none/) });
  const endpoints = await Promise.all([1, 2].map(async () => (await sandbox.call('POST', '/webhooks/endpoints', { url: receiver.url, events: ['exam.*'] })).data.id));
  expect((await cli.run('trigger', 'ping')).err).toMatch(/^usage: The sandbox has several endpoints; name one with --endpoint: we_/);
  const before = receiver.received.length;
  expect(await trigger('ping', '--endpoint', endpoints[0])).toMatchObject({ result: { delivered: true, response_code: 200 }, items: [] });
  await sandbox.call('DELETE', `/webhooks/endpoints/${endpoints[0]}`);
  expect(await trigger('ping')).toMatchObject({ result: { delivered: true } });
  expect(receiver.received.slice(before).map(({ headers }) => headers['x-svc-event'])).toEqual(['ping', 'ping']);
});

it('in a sandbox whose clock is ahead, events are found all the same', async () => {
  await sandbox.advance(40 * 86_400);
  const { items } = await trigger('coupon.batch_requested');
  expect(items.map(({ type }) => type)).toEqual(['coupon.batch_requested']);
});

it.each([
  ['a live key', () => keyCommandLine(api, institution.apiKey), ['student.created'], /^usage: The key is no test key, .+ npm start prints one, test_key in \.local\/connection\.json, .+ elsewhere the admin or a developer of the institution makes one in its portal, as an operator does by institution keys create ins_… --name trial --scope all --test\.\n$/],
  ['an unknown type', () => cli, ['pupil.expelled'], /That is no event type: institution events types lists them\.\n$/],
  ['a mistyped type', () => cli, ['exam.graeded'], /That is no event type: institution events types lists them \(did you mean exam\.graded\?\)\.\n$/],
  ['a pattern', () => cli, ['exam.*'], /exam\.\* is a pattern: name one type, such as exam\.published\.\n$/],
  ['a pattern that no type matches', () => cli, ['*.graded'], /\*\.graded is a pattern: name one type, such as exam\.graded\.\n$/],
  ['a student for an event about none', () => cli, ['faculty.created', '--student', 'stu_1'], /^usage: --student is of no use for faculty\.created\.\n$/],
  ['an endpoint for another event than ping', () => cli, ['student.created', '--endpoint', 'we_1'], /^usage: --endpoint is for ping alone\.\n$/],
])('%s is refused, and nothing happens', async (_what, of, args, err) => {
  const { data: before } = await api.call('GET', '/students', { key: institution.apiKey });
  expect(await of().run('trigger', ...args)).toEqual({ code: 2, out: '', err: expect.stringMatching(err) });
  expect((await api.call('GET', '/students', { key: institution.apiKey })).data.total).toBe(before.total);
});

it('a key without a scope gets an error that names the call it may not make', async () => {
  const { data } = await api.platform('POST', `/institutions/${institution.id}/keys`, { body: { name: 'few', scopes: ['webhooks:read'], environment: 'test' } });
  const ran = await keyCommandLine(api, data.api_key).run('trigger', 'student.created');
  expect(ran).toEqual({ code: 1, out: '', err: expect.stringMatching(/^insufficient_scope: /) });
});
