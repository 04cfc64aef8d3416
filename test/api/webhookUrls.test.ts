import { untrustedHostHint } from '../../domain/webhooks/addresses';
import { createHostAddresses } from '../../outbound/webhooks/hostAddresses';
import { startNameServer, type NameServer } from '../outbound/webhooks/nameServer';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';

let api: TestApi;
let names: NameServer;
let institution: TestInstitution;

const zone: Record<string, readonly string[]> = {
  'hooks.example.org': ['8.8.8.8'],
  'inside.example.org': ['10.0.0.7'],
  'mixed.example.org': ['8.8.8.8', '127.0.0.1'],
};

beforeAll(async () => {
  names = await startNameServer((name) => zone[name] ?? []);
  api = await startTestApi({ webhookTrustedHosts: ['127.0.0.1:9999'] });
  // The names of these tests exist on their own name server alone.
  const { isPrivate } = createHostAddresses({ trustedHosts: api.settings.webhookTrustedHosts, resolver: names.resolver });
  Object.assign(api.api.domain, { isPrivateWebhookHost: isPrivate });
});

beforeEach(async () => {
  institution = await api.institution();
});

afterAll(async () => {
  await api.stop();
  await names.close();
});

const url = 'https://hooks.example.org/institution';
const create = (body: object = {}) => api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body: { url, events: ['*'], ...body } });
const get = (id: string) => api.call('GET', `/webhooks/endpoints/${id}`, { key: institution.apiKey });
const patch = (id: string, body: object) => api.call('PATCH', `/webhooks/endpoints/${id}`, { key: institution.apiKey, body });

describe('the url of an endpoint', () => {
  const refused: [string, string, string][] = [
    ['http', 'http://hooks.example.org/x', 'https_required'],
    ['another scheme', 'ftp://hooks.example.org/x', 'https_required'],
    ['a file', 'file:///etc/passwd', 'https_required'],
    ['data', 'data:text/plain,x', 'https_required'],
    ['no scheme', 'hooks.example.org/x', 'validation_error'],
    ['no text at all', '', 'validation_error'],
    ['2,049 characters', `https://hooks.example.org/${'x'.repeat(2049 - 26)}`, 'validation_error'],
    ['a name and password', 'https://user:pass@hooks.example.org/x', 'validation_error'],
    ['a name alone', 'https://user@hooks.example.org/x', 'validation_error'],
    ['a fragment', 'https://hooks.example.org/x#here', 'validation_error'],
    ['an empty fragment', 'https://hooks.example.org/x#', 'validation_error'],
    ['port 80', 'https://hooks.example.org:80/x', 'validation_error'],
    ['port 1023', 'https://hooks.example.org:1023/x', 'validation_error'],
    ['port 65536', 'https://hooks.example.org:65536/x', 'validation_error'],
    ['a space', 'https://hooks.example.org/a b', 'validation_error'],
    ['a line break', 'https://hooks.example.org/a\nb', 'validation_error'],
    ['a backslash', 'https://hooks.example.org\\x', 'validation_error'],
    ['loopback', 'https://127.0.0.1/x', 'private_host'],
    ['loopback over http', 'http://127.0.0.1/x', 'https_required'],
    ['the port next to a trusted one', 'https://127.0.0.1:9998/x', 'private_host'],
    ['a private network', 'https://10.1.2.3/x', 'private_host'],
    ['the metadata service', 'https://169.254.169.254/latest', 'private_host'],
    ['an odd spelling', 'https://0x7f.1/x', 'private_host'],
    ['IPv6 loopback', 'https://[::1]/x', 'private_host'],
    ['localhost', 'https://localhost:8443/x', 'private_host'],
    ['a name of the house', 'https://db.internal/x', 'private_host'],
    ['a name that resolves to a private address', 'https://inside.example.org/x', 'private_host'],
    ['a name of which one address is private', 'https://mixed.example.org/x', 'private_host'],
  ];

  // Contract: webhooks.url.public-https, webhooks.url.private-host-or-credentials-rejected, errors.422.https-required, errors.422.private-host
  // Contract: errors.conditions.webhook-url-rejected
  it.each(refused)('is refused with %s when created and when changed', async (_what, wanted, code) => {
    const { data } = await create();
    for (const answer of [await create({ url: wanted }), await patch(data.id, { url: wanted })]) {
      expect([answer.status, answer.body.error]).toEqual([422, code]);
      expect(answer.body.issues?.[0]?.path).toBe('url');
    }
    expect((await get(data.id)).data.url).toBe(url);
  });

  // Contract: webhooks.create.body
  it.each([
    ['a public name', url],
    ['a high port', 'https://hooks.example.org:8443/x?y=1'],
    ['a public address', 'https://8.8.8.8/x'],
    ['a name that does not resolve now', 'https://later.example.org/x'],
    ['a trusted host, over http too', 'http://127.0.0.1:9999/x'],
  ])('may be %s, and is answered as it was spelt', async (_what, wanted) => {
    const { status, data } = await create({ url: wanted });
    expect([status, data.url]).toEqual([200, wanted]);
  });

  it.each([
    ['http://127.0.0.1:9998/x', 'https_required', 'url must begin with https://, and 127.0.0.1:9998 is not trusted: WEBHOOK_TRUSTED_HOSTS contains 127.0.0.1:9999; set it before the service starts.'],
    ['http://localhost:9999/x', 'https_required', 'url must begin with https://, and localhost:9999 is not trusted: WEBHOOK_TRUSTED_HOSTS contains 127.0.0.1:9999; set it before the service starts.'],
    ['https://localhost:9999/x', 'private_host', 'The host of url must be public, and localhost:9999 is not trusted: WEBHOOK_TRUSTED_HOSTS contains 127.0.0.1:9999; set it before the service starts.'],
    ['https://inside.example.org/x', 'private_host', 'The host of url must be public, and its name must resolve, and inside.example.org:443 is not trusted: WEBHOOK_TRUSTED_HOSTS contains 127.0.0.1:9999; set it before the service starts.'],
    ['data:text/plain,x', 'https_required', 'url must begin with https://'],
  ])('that is not among the trusted hosts says so and names those that are: %s', async (wanted, code, message) => {
    const { body } = await create({ url: wanted });
    expect([body.error, body.message]).toEqual([code, message]);
  });
});

it('the message about a host that is not trusted names five of those that are, and how many more there are', () => {
  const trusted = Array.from({ length: 8 }, (_, nth) => `127.0.0.1:${9_000 + nth}`);
  const hint = (hosts: string[]) => untrustedHostHint('http://localhost:1/x', hosts)?.replace(/^.* contains /, '');
  expect(hint(trusted)).toBe('127.0.0.1:9000, 127.0.0.1:9001, 127.0.0.1:9002, 127.0.0.1:9003, 127.0.0.1:9004 and 3 more; set it before the service starts.');
  expect(hint(trusted.slice(0, 5))).toBe('127.0.0.1:9000, 127.0.0.1:9001, 127.0.0.1:9002, 127.0.0.1:9003, 127.0.0.1:9004; set it before the service starts.');
});

it('a url without a scheme is refused with the one that it needs', async () => {
  const { body } = await create({ url: 'hooks.example.org/x' });
  expect(body.issues).toEqual([{ path: 'url', message: 'url must be an absolute URL of at most 2048 characters, and begin with https://' }]);
});

describe('in production', () => {
  const silent = 'silent.example.org';
  let hiding: NameServer;
  let publicAgain: TestApi['api']['domain']['isPrivateWebhookHost'];

  beforeAll(async () => {
    hiding = await startNameServer((name) => (name === silent ? null : (zone[name] ?? [])));
    const { isPrivate } = createHostAddresses({ trustedHosts: [], resolver: hiding.resolver, hidesNames: true });
    publicAgain = api.api.domain.isPrivateWebhookHost;
    Object.assign(api.api.domain, { isPrivateWebhookHost: isPrivate });
  });

  afterAll(async () => {
    Object.assign(api.api.domain, { isPrivateWebhookHost: publicAgain });
    await hiding.close();
  });

  it('a name that resolves to a private address, one that does not exist and one that nobody answers for get the same answer after the same time', async () => {
    const asked = await Promise.all(
      ['inside.example.org', 'mixed.example.org', 'nobody.example.org', silent].map(async (host) => {
        const begun = performance.now();
        // The hint of trusted hosts exists in development alone, and names the host.
        const { status, body } = await create({ url: `https://${host}/x` });
        const { message: _text, issues: _issues, ...error } = body;
        return { status, error, text: body.message.replace(host, 'HOST'), ms: performance.now() - begun };
      }),
    );
    const [{ ms: _ms, ...first } = { ms: 0 }] = asked;
    expect(first).toMatchObject({ status: 422, error: { error: 'private_host' } });
    for (const { ms: _took, ...answer } of asked) expect(answer).toEqual(first);
    const times = asked.map(({ ms }) => ms);
    expect(Math.min(...times)).toBeGreaterThan(2_000);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(500);
  });

  it('a public name is accepted, and a private address is refused at once', async () => {
    expect((await create()).status).toBe(200);
    const begun = performance.now();
    expect((await create({ url: 'https://10.1.2.3/x' })).body.error).toBe('private_host');
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
