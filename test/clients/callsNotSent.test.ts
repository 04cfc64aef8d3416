import { InstitutionClient } from '../../clients/typescript/src';
import { startStubServer, succeeds, type StubServer } from '../support/stubServer';

let server: StubServer;
let client: InstitutionClient;

beforeAll(async () => {
  server = await startStubServer([succeeds({})]);
  client = new InstitutionClient({ baseUrl: server.baseUrl, apiKey: `svc_live_${'k'.repeat(32)}` });
});

afterAll(() => server.close());

afterEach(() => expect(server.requests).toEqual([]));

it.each(['', 'roster/José', 'a b', 'a\n', 'k'.repeat(256)])('a call with the idempotency key %j, which the API would refuse, is not sent', async (idempotencyKey) => {
  await expect(client.call('POST', '/students', { body: {}, idempotencyKey })).rejects.toThrow(new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters, without blanks'));
});

it('a file in body is an error at once that names form, and a form in form one that names its fields', async () => {
  const file = new File(['abc'], 'tests.zip');
  const form = new FormData();
  form.append('file', file);
  for (const body of [form, file, new Blob(['abc']), new Uint8Array(3), new ArrayBuffer(3)]) {
    await expect(client.call('POST', '/students', { body: Object.assign(body, { full_name: 'Ada' }) })).rejects.toThrow(/^body is sent as JSON: a file goes into form, as in \{ form: \{ file: /);
  }
  await expect(client.call('POST', '/exams/{id}/files', { path: { id: 'exm_1' }, form: Object.assign(form, { file }) })).rejects.toThrow(/^form takes its fields/);
});

it('a path without its slash is an error at once', async () => {
  // @ts-expect-error A program in JavaScript may call so.
  await expect(client.call('GET', 'students')).rejects.toThrow(new TypeError('students must begin with a slash, as in /students/{id}'));
});

it.each(['FOO', 'get', undefined])('the method %s, which the API does not have, is an error at once that names those it has', async (method) => {
  // @ts-expect-error A program in JavaScript may call so.
  await expect(client.call(method, '/students')).rejects.toThrow(new TypeError(`${String(method)} is no method of the API, which has GET, POST, PUT, PATCH, DELETE`));
});

it('a body of a GET, and a value for what a path does not have, is an error at once', async () => {
  // @ts-expect-error A program in JavaScript may call so.
  await expect(client.call('GET', '/students', { body: { limit: 1 } })).rejects.toThrow(new TypeError('GET /students takes no body: filters go into query'));
  // @ts-expect-error A program in JavaScript may call so.
  await expect(client.call('GET', '/students/{id}', { path: { id: 'stu_1', student: 'stu_2' } })).rejects.toThrow(new TypeError('/students/{id} has no student: the parts of path are those in braces'));
});

it('a field next to the parts of a call is an error at once that says where it goes', async () => {
  const fields: object = { full_name: 'Ada' };
  await expect(client.call('POST', '/students', { body: {}, ...fields })).rejects.toThrow(new TypeError('full_name goes into body, as in { body: { full_name: … } }: a call has path, query, body, form, idempotencyKey, signal'));
  await expect(client.call('GET', '/students', fields)).rejects.toThrow(/^full_name goes into query, as in \{ query: \{ full_name: … \} \}/);
  await expect(client.paginate('/students', fields).next()).rejects.toThrow(/^full_name goes into query/);
});

it.each(['idempotency_key', 'idempotencykey', 'Idempotency-Key'])('a part in another spelling is named: %s', async (name) => {
  await expect(client.call('POST', '/students', { body: {}, ...{ [name]: 'k-1' } })).rejects.toThrow(new TypeError(`${name} is none of the parts of a call: did you mean idempotencyKey?`));
});

it('a part that other clients have is an error at once that names those of a call', async () => {
  const others: object = { params: { limit: 3 } };
  await expect(client.call('GET', '/students', others)).rejects.toThrow(new TypeError('params is none of the parts of a call: they are path, query, body, form, idempotencyKey, signal'));
});

it('an option that the feed does not have is an error at once', async () => {
  const options: object = { abort: new AbortController().signal };
  await expect(client.feed({}, options).next()).rejects.toThrow(new TypeError('abort is no option of feed, which has signal'));
  await expect(client.events.list({}, options)).rejects.toThrow(new TypeError('abort is no option of events.list, which has signal'));
});

it('a body that JSON cannot hold is an error at once, and is not sent', async () => {
  await expect(client.call('POST', '/students', { body: JSON.parse('{}', () => ({ full_name: 5n })) })).rejects.toThrow(/^body cannot be sent as JSON: .*BigInt/);
});

it.each([[{ id: 5 }, 'id takes a text, no number'], [{ id: null }, 'needs its id'], [{}, 'needs its id']])('a path with the values %j is an error at once: %s', async (path, message) => {
  // @ts-expect-error A program in JavaScript may call so.
  await expect(client.call('GET', '/students/{id}', { path })).rejects.toThrow(new TypeError(message.startsWith('needs') ? `/students/{id} ${message}` : `/students/{id}: ${message}`));
});
