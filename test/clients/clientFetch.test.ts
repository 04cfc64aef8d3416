import { InstitutionClient, InstitutionError, type Fetch } from '../../clients/typescript/src';
import { respondsWith, startStubServer, succeeds, type StubServer } from '../support/stubServer';

const apiKey = `svc_live_${'k'.repeat(32)}`;
let server: StubServer;

afterEach(() => server.close());

it('a fetch of the program sends every call, each try with the same key, and gets what fetch takes', async () => {
  server = await startStubServer([respondsWith(503, { success: false, error: 'unavailable', message: 'Wait.' }, { 'retry-after': '0' }), succeeds({ id: 'stu_1' })]);
  const sent: unknown[] = [];
  const own: Fetch = (url, init) => {
    sent.push([init.method, url, init.redirect, init.signal.aborted, init.body]);
    return fetch(url, init);
  };
  const client = new InstitutionClient({ baseUrl: server.baseUrl, apiKey, fetch: own });
  expect(await client.call('POST', '/students', { body: { full_name: 'Ada' } })).toEqual({ id: 'stu_1' });
  expect(sent).toEqual(Array(2).fill(['POST', `${server.baseUrl}/students`, 'manual', false, '{"full_name":"Ada"}']));
  const [first, second] = server.requests;
  expect(first?.headers.authorization).toBe(`Bearer ${apiKey}`);
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
});

it('an answer of a fetch of the program needs a status, headers and a text alone', async () => {
  server = await startStubServer([succeeds({})]);
  const answers = new Map([['content-type', 'application/json'], ['x-request-id', 'req_own']]);
  const own: Fetch = async () => ({ status: 409, headers: answers, text: async () => '{"success":false,"error":"conflict","message":"taken"}' });
  const call = new InstitutionClient({ baseUrl: server.baseUrl, apiKey, fetch: own }).call('GET', '/me');
  await expect(call).rejects.toThrow(InstitutionError);
  await expect(call).rejects.toMatchObject({ status: 409, code: 'conflict', requestId: 'req_own' });
  expect(server.requests).toEqual([]);
});

it('a fetch of the program that fails is a call without an answer', async () => {
  server = await startStubServer([succeeds({})]);
  const own: Fetch = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('the proxy refuses') }));
  await expect(new InstitutionClient({ baseUrl: server.baseUrl, apiKey, fetch: own, tries: 1 }).call('GET', '/me')).rejects.toMatchObject({ code: 'no_answer', message: expect.stringMatching(/^GET \/me got no answer from .+ s: the proxy refuses$/) });
});
