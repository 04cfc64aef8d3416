import { openRawConnection, requestHead, type RawResponse } from '../../../support/rawHttp';
import { apiFixture } from '../../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const limit = 2 * 1024 * 1024;

const send = (body: string, headers: Record<string, string> = {}) => api.call('POST', '/students', { key: institution.apiKey, body, headers });

/** Sends bytes as they are, over a connection of their own. */
async function sendRaw(method: string, path: string, body: Buffer, headers: Record<string, string | number> = {}): Promise<RawResponse | undefined> {
  const { socket, response } = await openRawConnection(api.api.port);
  const all = { authorization: `Bearer ${institution.apiKey}`, 'content-type': 'application/json', 'content-length': body.length, ...headers };
  socket.write(requestHead(method, path, all));
  socket.write(body);
  return response;
}

const students = async (): Promise<number> => (await api.call('GET', '/students', { key: institution.apiKey, query: { limit: 1 } })).data.total;

describe('a body that is refused', () => {
  const refused: [string, string, Record<string, string>][] = [
    ['is not JSON', '{"full_name":', {}],
    ['is a JSON text, but no object', '"Ada"', {}],
    ['is an array', '[]', {}],
    ['is null', 'null', {}],
    ['has two documents', '{} {}', {}],
    ['has another content type', '{}', { 'content-type': 'text/plain' }],
    ['is a form', 'full_name=Ada', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['has a type that only begins like JSON', '{}', { 'content-type': 'application/jsonx' }],
  ];

  // Contract: service.bodies.json-except-upload, operations.request-bodies.json
  it.each(refused)('%s', async (_name, body, headers) => {
    const { status, body: answer } = await send(body, headers);
    expect([status, answer.error, answer.issues.map((issue: { path: string }) => issue.path)]).toEqual([422, 'validation_error', ['body']]);
  });

  it.each(['gzip', 'br', 'gzip, identity'])('has the Content-Encoding %s', async (encoding) => {
    const { status, body } = await send('{}', { 'content-encoding': encoding });
    expect([status, body.issues]).toEqual([422, [{ path: 'body', message: 'must be sent without Content-Encoding' }]]);
  });

  it.each([['POST', '/students'], ['PUT', '/institution/config'], ['POST', '/licenses/lic_none/extend']])(
    'is forgotten where the operation wants one: %s %s',
    async (method, path) => {
      const absent = await api.call(method, path, { key: institution.apiKey });
      const none = await api.call(method, path, { key: institution.apiKey, body: '' });
      for (const { status, body } of [absent, none]) {
        expect([status, body.error, body.message, body.issues]).toEqual([422, 'validation_error', 'body is required', [{ path: 'body', message: 'is required' }]]);
      }
    },
  );

  it('is over 2 MiB by a byte; one of 2 MiB is read', async () => {
    const padded = (length: number): string => `{}${' '.repeat(length - 2)}`;
    const over = await send(padded(limit + 1));
    expect([over.status, over.body.issues]).toEqual([422, [{ path: 'body', message: `must be at most ${limit} bytes` }]]);
    expect((await send(padded(limit))).status).toBe(200);
  });

  it('says that it is larger than it may be: it is not waited for', async () => {
    const { socket, response } = await openRawConnection(api.api.port);
    socket.write(requestHead('POST', '/v1/students', { authorization: `Bearer ${institution.apiKey}`, 'content-type': 'application/json', 'content-length': limit * 1_000 }));
    expect((await response)?.status).toBe(422);
  });

  it('is chunked and over the limit', async () => {
    const { socket, response } = await openRawConnection(api.api.port);
    socket.on('error', () => undefined);
    socket.write(requestHead('POST', '/v1/students', { authorization: `Bearer ${institution.apiKey}`, 'content-type': 'application/json', 'transfer-encoding': 'chunked' }));
    const chunk = Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`);
    for (let sent = 0; sent <= limit; sent += 0x10000) socket.write(chunk);
    expect((await response)?.status).toBe(422);
  });

  it('is not UTF-8', async () => {
    const answer = await sendRaw('POST', '/v1/students', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]));
    expect([answer?.status, answer?.body.issues]).toEqual([422, [{ path: 'body', message: 'must be encoded in UTF-8' }]]);
  });

  it('is cut off: nothing is created, and the service goes on', async () => {
    const before = await students();
    const { socket, response } = await openRawConnection(api.api.port);
    socket.write(requestHead('POST', '/v1/students', { authorization: `Bearer ${institution.apiKey}`, 'content-type': 'application/json', 'content-length': 100 }));
    socket.end('{"full_name":"Half');
    await response;
    expect(await students()).toBe(before);
  });

  it('is nested deeper than anything means', async () => {
    const { status } = await send(`{"full_name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    expect(status).toBe(422);
  });
});

describe('a body that is read', () => {
  it('may be absent where nothing is required', async () => {
    const { data } = await api.call('POST', '/students', { key: institution.apiKey, body: {} });
    expect((await api.call('POST', `/licenses/${data.license.id}/revoke`, { key: institution.apiKey })).status).toBe(200);
  });

  it.each(['', 'identity'])('has the Content-Encoding "%s"', async (encoding) => {
    const answer = await sendRaw('POST', '/v1/students', Buffer.from('{}'), encoding === '' ? {} : { 'content-encoding': encoding });
    expect(answer?.status).toBe(200);
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8'])('has the type %s', async (type) => {
    expect((await send('{"full_name":"Ada"}', { 'content-type': type })).status).toBe(200);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString'])('with a field %s is refused like one with any unknown field', async (name) => {
    const { status, body } = await send(`{"${name}":{"full_name":"Mallory"}}`);
    expect([status, body.issues]).toEqual([422, [{ path: name, message: expect.stringMatching(`^${name} is not a known field(; known: full_name, |$)`) }]]);
    expect(Object.hasOwn(Object.prototype, 'full_name')).toBe(false);
  });

  it('keeps text of any script as it is', async () => {
    const name = 'Zoë 漢字 \u{1f600} o\u0301';
    expect((await send(JSON.stringify({ full_name: name }))).data.full_name).toBe(name);
  });
});

describe('a path or query with what no text has', () => {
  it.each(['/students/%00', '/students/a%00b', '/students/%0a', '/students/%ff', '/students/%', '/students/%zz', `/students/${'a'.repeat(2_000)}`].map((path) => [path.slice(0, 30), path]))(
    'names nothing: %s',
    async (_name, path) => {
      const answer = await sendRaw('GET', `/v1${path}`, Buffer.alloc(0), { 'content-type': 'text/plain' });
      expect([answer?.status, answer?.body.error]).toEqual([404, 'not_found']);
    },
  );

  it.each(['email=%00', 'email=a%0ab', 'student_id=%1b', '__proto__=1', 'constructor=1', '%00=1'])('is refused: ?%s', async (query) => {
    const { status, body } = await api.call('GET', `/students?${query}`, { key: institution.apiKey });
    expect([status, body.error]).toEqual([422, 'validation_error']);
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['a line that is no request', 'nonsense\r\n\r\n'],
    ['headers over the limit', requestHead('GET', '/v1/students', { 'x-long': 'a'.repeat(20_000) })],
    ['two lengths', 'POST /v1/students HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a length and chunks', 'POST /v1/students HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}'],
  ])('is answered in the form of every other answer: %s', async (_name, bytes) => {
    const { socket, response } = await openRawConnection(api.api.port);
    socket.write(bytes);
    const received = await response;
    expect([received?.status, received?.body.error, received?.headers['x-request-id']]).toEqual([422, 'validation_error', expect.stringMatching(/^req_/)]);
  });
});
