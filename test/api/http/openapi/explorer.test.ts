import { request } from 'node:http';
import { apiFixture } from '../../../support/apiFixture';

const { api } = apiFixture({ institutionPer: 'none' });

const get = (path: string, init: RequestInit = {}) => fetch(api.baseUrl + path, { redirect: 'manual', ...init });

/** A request exactly as written: `fetch` would normalize the path and send no-cache. */
const statusOf = (path: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: api.api.port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });

// Contract: versioning.explorer.served
it('opens without a key', async () => {
  const page = await get('/docs');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});

it('loads everything that its page names from the service itself', async () => {
  const html = await (await get('/docs')).text();
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => new URL(url, `${api.baseUrl}/docs`));
  expect(named.length).toBeGreaterThanOrEqual(4);
  for (const url of named) {
    expect(url.origin).toBe(new URL(api.baseUrl).origin);
    const { status, headers } = await fetch(url);
    expect([url.pathname, status, headers.get('x-content-type-options')]).toEqual([url.pathname, 200, 'nosniff']);
    expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
  }
});

it('lets the page load nothing from elsewhere', async () => {
  const policy = (await get('/docs')).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy.match(/https?:\/\/[^ ;]+/g)).toEqual([new URL(api.settings.publicBaseUrl).origin]);
});

it('sends nothing again to a client that has it', async () => {
  for (const path of ['/docs', '/docs/swagger-ui.css', '/openapi.json']) {
    const etag = (await get(path)).headers.get('etag') ?? '';
    expect([path, await statusOf(`/v1${path}`, { 'if-none-match': etag })]).toEqual([path, 304]);
    expect([path, await statusOf(`/v1${path}`, { 'if-none-match': '"another"' })]).toEqual([path, 200]);
  }
});

it('is compressed for a client that accepts it', async () => {
  const plain = await get('/docs/swagger-ui.css', { headers: { 'accept-encoding': 'identity' } });
  const zipped = await get('/docs/swagger-ui.css', { headers: { 'accept-encoding': 'gzip' } });
  expect([plain.headers.get('content-encoding'), zipped.headers.get('content-encoding')]).toEqual([null, 'gzip']);
  expect(await zipped.text()).toBe(await plain.text());
});

it('has one address: the one with a slash leads to it', async () => {
  const { status, headers } = await get('/docs/');
  expect([status, new URL(headers.get('location') ?? '', `${api.baseUrl}/docs/`).pathname]).toEqual([308, '/v1/docs']);
});

it.each([
  '/v1/docs/../../package.json',
  '/v1/docs/..%2f..%2fpackage.json',
  '/v1/docs/%2e%2e/package.json',
  '/v1/docs//etc/passwd',
  '/v1/docs/index.html',
  '/v1/docs/swagger-ui.css/',
  '/v1/docs/swagger-ui.css%00.js',
])('gives out nothing but its own files: %s', async (path) => {
  expect(await statusOf(path)).toBe(401);
});

it('is there to be read only', async () => {
  for (const path of ['/docs', '/openapi.json']) {
    const { status, headers, body } = await api.call('POST', path, { body: {} });
    expect([path, status, body.error, headers.get('allow')]).toEqual([path, 501, 'not_implemented', 'GET, HEAD']);
  }
});

it('answers HEAD as GET, without a body', async () => {
  const { status, headers } = await get('/docs', { method: 'HEAD' });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});
