import { apiFixture } from '../../../support/apiFixture';

const portal = 'https://portal.institution.test';
const { api, institution } = apiFixture({ institutionPer: 'file', settings: () => ({ ownOrigins: ['https://api.institution.test', portal] }) });

const allowed = (headers: Headers) => [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];

describe('a request without an Origin', () => {
  // Contract: auth.origin.not-required
  it('is let in and gets no browser headers', async () => {
    const { status, headers } = await api.call('GET', '/me', { key: institution.apiKey });
    expect([status, ...allowed(headers)]).toEqual([200, null, null]);
    expect(headers.get('vary')).toBe('Origin');
  });
});

describe("a request from one of the service's own origins", () => {
  // Contract: auth.origin.own-origins-allowed
  it('may ask before it sends, without a key', async () => {
    const { status, headers } = await api.call('OPTIONS', '/students', {
      headers: { origin: portal, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization,content-type' },
    });
    expect([status, ...allowed(headers)]).toEqual([204, portal, null]);
    expect(headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
  });

  // Contract: auth.origin.own-origins-allowed
  it('is answered with what the browser needs to read it, also when it is refused', async () => {
    const answers = await Promise.all([
      api.call('GET', '/me', { key: institution.apiKey, headers: { origin: portal } }),
      api.call('GET', '/me', { headers: { origin: portal } }),
      api.call('GET', '/students?limit=0', { key: institution.apiKey, headers: { origin: portal } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 422]);
    for (const { headers } of answers) {
      expect(allowed(headers)).toEqual([portal, null]);
      expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    }
  });

  it('may write', async () => {
    const { status } = await api.call('POST', '/students', { key: institution.apiKey, body: {}, headers: { origin: portal } });
    expect(status).toBe(200);
  });
});

describe('a request from any other origin', () => {
  const foreign = ['https://evil.example', 'null', `${portal}.evil.example`, 'http://portal.institution.test', `${portal}:8443`, portal.toUpperCase()];

  // Contract: errors.403.forbidden
  it.each(foreign)('is 403 forbidden, with a key and without: %s', async (origin) => {
    for (const key of [institution.apiKey, undefined]) {
      const { status, body, headers } = await api.call('GET', '/me', { key, headers: { origin } });
      expect([status, body.error, ...allowed(headers)]).toEqual([403, 'forbidden', null, null]);
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  it('gets no CORS headers either', async () => {
    const { status, headers } = await api.call('OPTIONS', '/students', {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    expect([status, ...allowed(headers)]).toEqual([403, null, null]);
  });

  it('does nothing', async () => {
    const total = async (): Promise<number> => (await api.call('GET', '/students', { key: institution.apiKey })).data.total;
    const before = await total();
    await api.call('POST', '/students', { key: institution.apiKey, body: {}, headers: { origin: 'https://evil.example' } });
    expect(await total()).toBe(before);
  });
});
