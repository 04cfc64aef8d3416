import { setTimeout as pause } from 'node:timers/promises';
import { InstitutionClient, InstitutionError, type ClientOptions } from '../../clients/typescript/src';
import { buildUrl } from '../../clients/typescript/src/requestUrl';
import { eventually } from '../support/eventually';
import { respondsWith, truncatesResponse, closesConnection, neverResponds, startStubServer, succeeds, type Responder, type StubServer } from '../support/stubServer';

const apiKey = `svc_live_${'k'.repeat(32)}`;
const limited = (headers: Record<string, string> = { 'retry-after': '1' }): Responder => respondsWith(429, { success: false, error: 'rate_limited', message: 'Wait.' }, headers);
const unavailable = (headers: Record<string, string> = {}): Responder => respondsWith(503, { success: false, error: 'rate_limiter_unavailable', message: 'Wait.' }, headers);

const servers: StubServer[] = [];

afterAll(() => Promise.all(servers.map(({ close }) => close())));

async function askedOf(manners: readonly Responder[], options: Partial<ClientOptions> = {}): Promise<{ server: StubServer; client: InstitutionClient }> {
  const server = await startStubServer(manners);
  servers.push(server);
  return { server, client: new InstitutionClient({ baseUrl: server.baseUrl, apiKey, ...options }) };
}

/** A server that has stopped listening. */
async function closedServer(): Promise<StubServer> {
  const server = await startStubServer([succeeds({})]);
  await server.close();
  return server;
}

/** The error that a call ends with. */
const errorOf = (call: Promise<unknown>): Promise<InstitutionError> =>
  call.then(
    () => { throw new Error('The call succeeded'); },
    (error: unknown) => {
      if (!(error instanceof InstitutionError)) throw error;
      return error;
    },
  );

const create = (client: InstitutionClient): Promise<unknown> => client.call('POST', '/students', { body: { full_name: 'Ada' } });
const keysOf = (server: StubServer): unknown[] => server.requests.map(({ headers }) => headers['idempotency-key']);
const replay = (client: InstitutionClient): Promise<unknown> => client.call('POST', '/webhooks/deliveries/{id}/replay', { path: { id: 'whd_1' }, body: { ref: 'round-7' } });

describe('what is sent', () => {
  it('carries the key that its caller gives, and none where nothing is written', async () => {
    const { server, client } = await askedOf([succeeds({})]);
    await client.call('POST', '/students', { body: { full_name: 'Ada' }, idempotencyKey: 'roster/1' });
    await client.call('GET', '/me');
    expect(keysOf(server)).toEqual(['roster/1', undefined]);
  });

  it('is the path with its values escaped, the query without what is undefined, the key and a JSON body', async () => {
    const { server, client } = await askedOf([succeeds({})]);
    await client.call('GET', '/students/{id}', { path: { id: 'a/b c@north.example' } });
    await client.call('GET', '/students', { query: { student_id: 'SIS&1', limit: 5 } });
    await client.call('PATCH', '/students/{id}', { path: { id: 'stu_1' }, body: { full_name: 'Zoë' } });
    await client.call('POST', '/students/{id}/suspend', { path: { id: 'stu_1' } });
    expect(server.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/v1/students/a%2Fb%20c%40north.example', ''],
      ['GET', '/v1/students?student_id=SIS%261&limit=5', ''],
      ['PATCH', '/v1/students/stu_1', '{"full_name":"Zoë"}'],
      ['POST', '/v1/students/stu_1/suspend', ''],
    ]);
    expect(server.requests.map(({ headers }) => [headers.authorization, headers['content-type']])).toEqual([
      [`Bearer ${apiKey}`, undefined], [`Bearer ${apiKey}`, undefined], [`Bearer ${apiKey}`, 'application/json'], [`Bearer ${apiKey}`, undefined],
    ]);
  });

  it('is a page of the usual size where its limit is undefined, in a walk and in the feed', async () => {
    const { server, client } = await askedOf([succeeds({ items: [], limit: 200, has_more: false, next_cursor: null, next_since: null })]);
    for await (const _ of client.paginate('/students', { query: { limit: undefined } })) throw new Error('The list is empty.');
    for await (const { has_more } of client.feed({ since: null, limit: undefined })) expect(has_more).toBe(false);
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/students?limit=200&cursor=', '/v1/events?limit=200']);
  });

  it('goes to the same place where the base URL ends with slashes', async () => {
    const server = await startStubServer([succeeds({})]);
    servers.push(server);
    await new InstitutionClient({ baseUrl: `${server.baseUrl}//`, apiKey }).call('GET', '/me');
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/me']);
  });

  it('is nothing where a value of the path is missing, so that no other thing is asked for', async () => {
    const { server, client } = await askedOf([succeeds({})]);
    await expect(client.call('DELETE', '/webhooks/endpoints/{id}', { path: { id: '' } })).rejects.toThrow(TypeError);
    expect(server.requests).toEqual([]);
  });
});

describe('a path value of dots', () => {
  it.each(['.', '..'])('is refused, as "%s" would call another operation: a device\'s revocation that of its license', async (seatId) => {
    const { server, client } = await askedOf([succeeds({})]);
    await expect(client.call('POST', '/licenses/{id}/devices/{seatId}/revoke', { path: { id: 'lic_1', seatId } }))
      .rejects.toThrow(new TypeError(`/licenses/{id}/devices/{seatId}/revoke: seatId must not be "${seatId}", which would call another operation`));
    expect(server.requests).toEqual([]);
  });

  it('is sent where it has more than dots', async () => {
    const { server, client } = await askedOf([succeeds({})]);
    for (const id of ['..a', '../x', '%2e%2e']) await client.call('GET', '/students/{id}', { path: { id } });
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/students/..a', '/v1/students/..%2Fx', '/v1/students/%252e%252e']);
  });
});

describe('a refusal', () => {
  it('that is a conflict is no reason to ask again where no answer was lost', async () => {
    const { server, client } = await askedOf([respondsWith(409, { success: false, error: 'conflict', message: 'taken' })]);
    expect(await errorOf(create(client))).toMatchObject({ status: 409, code: 'conflict' });
    expect(server.requests).toHaveLength(1);
  });

  it('is one error with status, code, issues and request id', async () => {
    const issues = [{ path: 'license_days', message: 'must be a number' }];
    const { server, client } = await askedOf([respondsWith(422, { success: false, error: 'validation_error', message: 'license_days: must be a number', issues })]);
    expect(await errorOf(create(client))).toMatchObject({
      name: 'InstitutionError', status: 422, code: 'validation_error', issues, requestId: 'req_1',
      message: 'POST /students answered 422 validation_error: license_days: must be a number (req_1)',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('is no answer of the API where something in between answers, or a redirect leads elsewhere', async () => {
    const html: Responder = (response) => response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Bad page</h1>');
    const signIn: Responder = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
    const elsewhere: Responder = (response) => response.writeHead(301, { location: 'https://elsewhere.example/' }).end();
    const { server, client } = await askedOf([html, elsewhere, respondsWith(200, { welcome: true }), signIn], { tries: 1 });
    for (const [status, answerer] of [[500, 'text/html'], [301, 'a redirect to elsewhere.example'], [200, 'application/json'], [200, 'text/html']] as const) {
      expect(await errorOf(create(client))).toMatchObject({ status, code: 'unexpected_answer', issues: [], message: expect.stringContaining(`and not as the API does: ${answerer}`) });
    }
    expect(server.requests).toHaveLength(4);
  });

  it('of a student_id that must be unique names the student who has it', async () => {
    const existing = { id: 'stu_1', login_email: 'student1@north.example' };
    const taken = respondsWith(409, { success: false, error: 'conflict', message: 'student_id is used already', existing });
    const { client } = await askedOf([taken, respondsWith(409, { success: false, error: 'conflict', message: 'closed' })]);
    expect((await errorOf(create(client))).existing).toEqual(existing);
    expect((await errorOf(create(client))).existing).toBeNull();
  });

  it.each(['127.0.0.1', 'localhost'])('for want of an answer says why: nothing listens on %s', async (host) => {
    const { port } = new URL((await closedServer()).baseUrl);
    const error = await errorOf(new InstitutionClient({ baseUrl: `http://${host}:${port}/v1`, apiKey, tries: 1 }).call('GET', '/me'));
    expect([error.code, error.message]).toEqual(['no_answer', expect.stringMatching(/^GET \/me got no answer from http:\/\/.+ after 1 try in \d+\.\d s: .*ECONNREFUSED/)]);
  });

  it('for want of an answer in time says so, and from where, after how many tries and how long', async () => {
    const { server, client } = await askedOf([neverResponds], { tries: 1, answerWithinMs: 100 });
    expect((await errorOf(client.call('GET', '/me'))).message).toMatch(new RegExp(`^GET /me got no answer from ${new URL(server.baseUrl).origin} after 1 try in \\d+\\.\\d s: .*timeout`));
  });

  it('never shows the key', async () => {
    const { client } = await askedOf([closesConnection], { tries: 1 });
    const error = await errorOf(create(client));
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(apiKey);
  });
});

it('the file of an export is its text', async () => {
  const { client } = await askedOf([(response) => response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end('email\n')]);
  expect(await client.call('GET', '/exams/{id}/export.csv', { path: { id: 'exm_1' } })).toBe('email\n');
});

describe('429 and 5xx', () => {
  it('that ask for a wait do not make the wait after a lost connection longer', async () => {
    // Twice as long for each of the eight would be more than a minute, and beyond the deadline.
    const { server, client } = await askedOf([...Array.from({ length: 8 }, () => unavailable({ 'retry-after': '0' })), closesConnection, succeeds({ id: 'stu_1' })], { tries: 10, deadlineMs: 60_000 });
    expect(await create(client)).toMatchObject({ id: 'stu_1' });
    expect(server.requests).toHaveLength(10);
  });

  it('make every call wait as Retry-After says', async () => {
    const { server, client } = await askedOf([limited(), unavailable({ 'retry-after': '1' }), succeeds({ id: 'stu_1' })]);
    expect(await create(client)).toEqual({ id: 'stu_1' });
    const [first = 0, second = 0, third = 0] = server.requests.map(({ atMs }) => atMs);
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(990);
    expect(server.requests.map(({ body }) => body)).toEqual(Array(3).fill('{"full_name":"Ada"}'));
  });

  it('understand a date as well', async () => {
    // Dated as it answers, so that it says the same on a slow machine.
    const dated: Responder = (response) => limited({ 'retry-after': new Date(Date.now() + 2_000).toUTCString() })(response);
    const { server, client } = await askedOf([dated, succeeds({})]);
    await create(client);
    const [first = 0, second = 0] = server.requests.map(({ atMs }) => atMs);
    // A date has whole seconds.
    expect(second - first).toBeGreaterThan(500);
  });

  it('end with the error once the tries are used up', async () => {
    const { server, client } = await askedOf([limited({ 'retry-after': '0' })], { tries: 3 });
    expect(await errorOf(create(client))).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(server.requests).toHaveLength(3);
  });

  it('end with the error immediately if the wait would exceed the deadline', async () => {
    const { server, client } = await askedOf([limited({ 'retry-after': '30' })], { deadlineMs: 25_000 });
    const begun = performance.now();
    expect(await errorOf(create(client))).toMatchObject({ status: 429, retryAfterSeconds: 30 });
    // Neither the 30 s nor the deadline were waited for.
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(server.requests).toHaveLength(1);
  });

  it.each([500, 502, 503, 504])('a %s makes every call come again, a write with its key', async (status) => {
    const { server, client } = await askedOf([respondsWith(status, {}), succeeds({ id: 'stu_1' })]);
    expect(await create(client)).toEqual({ id: 'stu_1' });
    expect(keysOf(server)).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keysOf(server)[0]]);
  });
});

describe.each([['a connection that is closed', closesConnection], ['an answer that breaks off', truncatesResponse]])('%s', (_what, manner) => {
  it('makes a read come again', async () => {
    const { server, client } = await askedOf([manner, succeeds({ items: [], has_more: false })]);
    expect(await client.call('GET', '/students')).toEqual({ items: [], has_more: false });
    expect(server.requests).toHaveLength(2);
  });

  it('makes a write that carries a ref come again, with the same ref', async () => {
    const { server, client } = await askedOf([manner, succeeds({ applied: true })]);
    expect(await replay(client)).toEqual({ applied: true });
    expect(server.requests.map(({ body }) => body)).toEqual(['{"ref":"round-7"}', '{"ref":"round-7"}']);
  });

  it('makes a write come again with the same key, which another call does not have', async () => {
    const { server, client } = await askedOf([manner, succeeds({ id: 'stu_1' })]);
    expect(await create(client)).toEqual({ id: 'stu_1' });
    await create(client);
    const [first, second, third] = keysOf(server);
    expect([first, second === first, third === first]).toEqual([expect.any(String), true, false]);
  });

  it('makes a conflict come again, which may be that of the lost call, still under way', async () => {
    const underWay = respondsWith(409, { success: false, error: 'conflict', message: 'still under way' });
    const { server, client } = await askedOf([manner, underWay, succeeds({ id: 'stu_1' })]);
    expect(await create(client)).toEqual({ id: 'stu_1' });
    expect(new Set(keysOf(server)).size).toBe(1);
  });
});

it('a server that keeps silent is given up at the deadline, which counts all tries together', async () => {
  const { server, client } = await askedOf([neverResponds], { answerWithinMs: 300, deadlineMs: 2_500, tries: 1_000 });
  const begun = performance.now();
  expect(await errorOf(client.call('GET', '/me'))).toMatchObject({ code: 'no_answer' });
  // A thousand tries would go on for minutes.
  expect(performance.now() - begun).toBeLessThan(15_000);
  expect(server.requests.length).toBeGreaterThan(1);
});

it('a call ends with its caller\'s signal, in the middle of a wait too', async () => {
  const { server, client } = await askedOf([limited({ 'retry-after': '30' })]);
  const given = new AbortController();
  const reason = new Error('Its caller has gone');
  const called = client.call('GET', '/me', { signal: given.signal }).catch((error: unknown) => error);
  await eventually('the call', () => server.requests.length === 1);
  await pause(300);
  given.abort(reason);
  expect(await called).toBe(reason);
  expect(server.requests).toHaveLength(1);
});

it('paging goes on from each answer\'s `next_cursor`, 200 items each by default, and keeps the filters', async () => {
  const { server, client } = await askedOf([succeeds({ items: [1, 2], next_cursor: 'a' }), succeeds({ items: [3], next_cursor: null })]);
  const items: unknown[] = [];
  for await (const item of client.paginate('/students', { query: { status: 'active' } })) items.push(item);
  expect(items).toEqual([1, 2, 3]);
  expect(server.requests.map(({ url }) => url)).toEqual(['/v1/students?limit=200&status=active&cursor=', '/v1/students?limit=200&status=active&cursor=a']);
});

it('paging takes no page and no cursor, which would leave out what comes before', async () => {
  const { server, client } = await askedOf([succeeds({ items: [], next_cursor: null })]);
  for (const query of [{ page: 2 }, { cursor: 'b' }]) {
    // @ts-expect-error -- the types have neither
    await expect(client.paginate('/students', { query }).next()).rejects.toThrow(new TypeError('paginate walks the whole list: page and cursor are for call'));
  }
  await client.paginate('/students', { query: { limit: 3 } }).next();
  expect(server.requests.map(({ url }) => url)).toEqual(['/v1/students?limit=3&cursor=']);
});

it('`events.list` answers one page of the feed', async () => {
  const { server, client } = await askedOf([succeeds({ items: [], has_more: false, next_since: null })]);
  expect(await client.events.list({ type: 'exam.*' })).toEqual({ items: [], has_more: false, next_since: null });
  expect(server.requests.map(({ url }) => url)).toEqual(['/v1/events?type=exam.*']);
});

it('the feed goes on from each answer\'s `next_since`, and ends with its caller\'s signal', async () => {
  const reason = new Error('Its caller has gone');
  const given = new AbortController();
  const { server, client } = await askedOf([succeeds({ items: [], has_more: true, next_since: 'a' }), neverResponds]);
  const read = async (): Promise<void> => {
    for await (const step of client.events.feed({ type: 'student.*' }, { signal: given.signal })) expect(step.next_since).toBe('a');
  };
  const called = read().catch((error: unknown) => error);
  await eventually('the second call', () => server.requests.length === 2);
  given.abort(reason);
  expect(await called).toBe(reason);
  expect(server.requests.map(({ url }) => url)).toEqual(['/v1/events?limit=200&type=student.*', '/v1/events?limit=200&type=student.*&since=a']);
});

it('a Date in a query, as a program in JavaScript may give it, is sent in ISO 8601', () => {
  expect(buildUrl('https://api.example.org/v1', '/events', { query: { since: new Date('2026-11-20T09:30:00Z') } })).toBe('https://api.example.org/v1/events?since=2026-11-20T09%3A30%3A00.000Z');
});
