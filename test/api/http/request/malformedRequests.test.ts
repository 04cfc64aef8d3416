import { openRawConnection, requestHead, type RawResponse } from '../../../support/rawHttp';
import { startTestApi } from '../../../support/api';
import { apiFixture } from '../../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

async function sendRaw(port: number, method: string, path: string, headers: Record<string, string> = {}): Promise<RawResponse | undefined> {
  const { socket, response } = await openRawConnection(port);
  socket.write(requestHead(method, path, headers));
  return response;
}

describe('a request target that names no path', () => {
  it.each(['http://', 'https://', 'http:', 'http:///', 'urn:x', 'http://?a=1'])('is refused in the form of every other answer: %s', async (target) => {
    for (const port of [api.api.port, api.api.platformPort]) {
      const answer = await sendRaw(port, 'GET', target, { authorization: `Bearer ${institution.apiKey}` });
      expect([answer?.status, answer?.body.error, answer?.headers['x-request-id']]).toEqual([422, 'validation_error', expect.stringMatching(/^req_/)]);
    }
  });

  it.each(['http://127.0.0.1/v1/me', '/v1/me'])('is none of these: %s', async (target) => {
    expect((await sendRaw(api.api.port, 'GET', target, { authorization: `Bearer ${institution.apiKey}` }))?.status).toBe(200);
  });

  it.each(['http://127.0.0.1', '//', '*', 'http://a b'])('or leads nowhere: %s', async (target) => {
    const answer = await sendRaw(api.api.port, 'OPTIONS', target, { authorization: `Bearer ${institution.apiKey}` });
    expect([404, 422]).toContain(answer?.status);
    expect(answer?.body.success).toBe(false);
  });
});

describe('an expectation', () => {
  it('that nobody knows is refused in the form of every other answer', async () => {
    const answer = await sendRaw(api.api.port, 'GET', '/v1/me', { authorization: `Bearer ${institution.apiKey}`, expect: 'something' });
    expect([answer?.status, answer?.body.issues, answer?.headers['x-request-id']]).toEqual([
      422,
      [{ path: 'Expect', message: 'must be 100-continue or left out' }],
      expect.stringMatching(/^req_/),
    ]);
  });
});

describe('a request without a Host', () => {
  // Contract: responses.request-id.header
  it.each(['GET', 'POST'])('is refused in the form of every other answer: %s', async (method) => {
    for (const port of [api.api.port, api.api.platformPort]) {
      const { socket, response } = await openRawConnection(port);
      socket.write(`${method} /v1/me HTTP/1.1\r\nauthorization: Bearer ${institution.apiKey}\r\ncontent-length: 0\r\n\r\n`);
      expect(await response).toMatchObject({
        status: 422,
        headers: { 'x-request-id': expect.stringMatching(/^req_/), 'x-content-type-options': 'nosniff', connection: 'close' },
        body: { success: false, error: 'validation_error', issues: [{ path: 'Host', message: 'must be sent' }] },
      });
    }
  });

  it('or is no HTTP at all, gets an error that no browser takes for a page', async () => {
    const { socket, response } = await openRawConnection(api.api.port);
    socket.write('NONSENSE\r\n\r\n');
    expect((await response)?.headers).toMatchObject({ 'x-request-id': expect.stringMatching(/^req_/), 'x-content-type-options': 'nosniff' });
  });

  it('is answered where HTTP/1.0 knows none', async () => {
    const { socket, response } = await openRawConnection(api.api.port);
    socket.write(`GET /v1/me HTTP/1.0\r\nauthorization: Bearer ${institution.apiKey}\r\n\r\n`);
    expect((await response)?.status).toBe(200);
  });
});

describe('a moment', () => {
  const until = (moment: string) => api.call('POST', '/licenses/lic_01jd4k6f2mep2s5xg5yhc8m1zr/extend', { key: institution.apiKey, body: { expires_at: moment } });

  it.each(['0000-06-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-01:00'])('outside the years 1 to 9999 in UTC is refused: %s', async (moment) => {
    const { status, body } = await until(moment);
    expect([status, body.issues?.map(({ path }: { path: string }) => path)]).toEqual([422, ['expires_at']]);
  });

  it.each(['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z'])('within them is read: %s', async (moment) => {
    expect((await until(moment)).status).toBe(404);
  });
});

describe('an X-Actor', () => {
  it.each(['', ' ', '\t'])('that is blank is nobody, not the platform: %j', async (actor) => {
    const answer = await sendRaw(api.api.platformPort, 'GET', '/platform/v1/institutions', { authorization: `Bearer ${api.settings.platformToken}`, 'x-actor': actor });
    expect([answer?.status, answer?.body.error]).toEqual([401, 'unauthorized']);
  });
});

describe('the platform listener', () => {
  const paths = ['/healthz', '/readyz', '/metrics', '/platform/v1/openapi.json', '/platform/v1/institutions'];
  const from = (path: string, headers: Record<string, string>): Promise<RawResponse | undefined> =>
    sendRaw(api.api.platformPort, 'GET', path, { authorization: `Bearer ${api.settings.platformToken}`, ...headers });

  it.each(['evil.example', '127.0.0.1.evil.example', 'evil.example:4001', '10.0.0.1.', '', 'a@127.0.0.1'])('refuses the host %p', async (host) => {
    for (const path of paths) {
      const answer = await from(path, { host });
      expect([path, answer?.status, answer?.body.error]).toEqual(['/healthz', '/readyz'].includes(path) ? [path, 200, undefined] : [path, 403, 'forbidden']);
    }
  });

  it.each(['127.0.0.1', '127.0.0.1:9', 'localhost:4001', 'LOCALHOST', '[::1]:4001', '127.9.9.9', '10.244.1.7:4001', '[fd00::7]:4001'])('knows itself as %s', async (host) => {
    for (const path of paths) expect([path, (await from(path, { host }))?.status]).toEqual([path, 200]);
  });

  it('knows itself by the names of PLATFORM_NAMES alone', async () => {
    const named = await startTestApi({ platformNames: ['institution-platform', 'institution-platform.school.svc'] });
    const statusBy = async (host: string): Promise<number | undefined> => (await sendRaw(named.api.platformPort, 'GET', '/metrics', { host }))?.status;
    const statuses = await Promise.all(['institution-platform:4001', 'Institution-Platform.school.svc', 'institution-platform.other.svc'].map(statusBy));
    await named.stop();
    expect(statuses).toEqual([200, 200, 403]);
  });

  it('answers no page of a browser', async () => {
    for (const path of paths) {
      const answer = await from(path, { origin: 'http://127.0.0.1:4001' });
      expect([path, answer?.status, answer?.body.error]).toEqual([path, 403, 'forbidden']);
    }
  });
});
