import { InstitutionClient, type CallAnswer, type CallRetry, type ClientOptions } from '../../clients/typescript/src';
import { apiFixture } from '../support/apiFixture';
import { closesConnection, respondsWith, startStubServer, succeeds, type Responder, type StubServer } from '../support/stubServer';

const fixture = apiFixture();
const apiKey = `svc_live_${'k'.repeat(32)}`;
const limited = respondsWith(429, { success: false, error: 'rate_limited', message: 'Wait.' }, { 'retry-after': '0', 'x-ratelimit-remaining': '0' });
const page: Responder = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');

/** What the hooks of a client were given. */
interface Received {
  retries: CallRetry[];
  answers: CallAnswer[];
}

function listening(options: ClientOptions): Received & { client: InstitutionClient } {
  const received: Received = { retries: [], answers: [] };
  const hooks = { onRetry: (retry: CallRetry) => void received.retries.push(retry), onAnswer: (answer: CallAnswer) => void received.answers.push(answer) };
  return { ...received, client: new InstitutionClient({ ...options, ...hooks }) };
}

describe('of a call that is sent several times', () => {
  let server: StubServer;
  let received: Received;

  beforeEach(async () => {
    server = await startStubServer([limited, closesConnection, page, succeeds({ id: 'stu_1' })]);
    const { client, ...given } = listening({ baseUrl: server.baseUrl, apiKey });
    received = given;
    await client.call('PATCH', '/students/{id}', { path: { id: 'stu_1' }, body: { full_name: 'Ada' } });
  });

  afterEach(() => server.close());

  it('onRetry is called before each wait with its reason and length', () => {
    const ofCall = { method: 'PATCH', path: '/students/{id}', waitMs: expect.any(Number) };
    expect(received.retries).toEqual([
      { ...ofCall, attempt: 1, waitMs: 0, code: 'rate_limited', requestId: 'req_1' },
      { ...ofCall, attempt: 2, code: 'no_answer', requestId: null },
      { ...ofCall, attempt: 3, code: 'unexpected_answer', requestId: null },
    ]);
    expect(Math.min(...received.retries.slice(1).map(({ waitMs }) => waitMs))).toBeGreaterThanOrEqual(500);
  });

  it('onAnswer gets the status and the headers of each answer that came', () => {
    const ofCall = { method: 'PATCH', path: '/students/{id}' };
    expect(received.answers).toEqual([
      { ...ofCall, attempt: 1, status: 429, requestId: 'req_1', headers: expect.any(Headers) },
      { ...ofCall, attempt: 3, status: 502, requestId: null, headers: expect.any(Headers) },
      { ...ofCall, attempt: 4, status: 200, requestId: 'req_1', headers: expect.any(Headers) },
    ]);
    expect(received.answers.map(({ headers }) => headers.get('X-RateLimit-Remaining'))).toEqual(['0', null, null]);
  });
});

it('the headers of an answer of the service have its request id, its clock and what is left of the rate limit', async () => {
  const { client, answers, retries } = listening({ baseUrl: fixture.api.baseUrl, apiKey: fixture.institution.apiKey });
  await client.call('GET', '/me');
  await client.paginate('/students').next();
  expect(answers.map(({ path, status }) => [path, status])).toEqual([['/me', 200], ['/students', 200]]);
  for (const { headers, requestId } of answers) {
    expect(requestId).toMatch(/^req_/);
    expect(headers.get('x-request-id')).toBe(requestId);
    expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
    expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(0);
  }
  expect(retries).toEqual([]);
});

it('what a hook throws ends the call', async () => {
  const failure = new Error('The log is full');
  const client = new InstitutionClient({ baseUrl: fixture.api.baseUrl, apiKey: fixture.institution.apiKey, onAnswer: () => { throw failure; } });
  await expect(client.call('GET', '/me')).rejects.toBe(failure);
});
