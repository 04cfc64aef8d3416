import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { projectRoot } from '../../../../lib/projectRoot';
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
  '/v1/docs/operations/none',
  '/v1/docs/guides/none',
  '/v1/docs/guides/quickstart.md/',
])('gives out nothing but its own files, and says 404 without a key: %s', async (path) => {
  expect(await statusOf(path)).toBe(404);
});

it.each(['/docs/none', '/docs/operations/none', '/docs/guides/a/b'])('says 404 with a page that leads on to a browser: %s', async (path) => {
  const answer = await get(path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([404, 'text/html; charset=utf-8', 'no-store']);
  const links = [...(await answer.text()).matchAll(/href="([^"]+)"/g)].map(([, link = '']) => new URL(link, api.baseUrl + path).pathname);
  expect(links).toEqual(['/v1/docs/explorer.css', '/v1/docs']);
});

it('what only begins like it is a path of the API, which needs a key', async () => {
  expect([await statusOf('/v1/docsx'), await statusOf('/v1/llms.txtx')]).toEqual([401, 401]);
});

it.each(['/', '/v1', '/v1/'])('%s says where the documents are, without a key', async (path) => {
  const answer = await fetch(new URL(path, api.baseUrl));
  const base = api.settings.publicBaseUrl;
  expect([answer.status, await answer.json()]).toEqual([200, { success: true, data: expect.objectContaining({ docs: `${base}/docs`, openapi: `${base}/openapi.json`, llms: `${base}/llms.txt` }) }]);
});

it('has every page for integrators that docs/README.md names, as a page and as Markdown', async () => {
  const [, table = ''] = (await (await get('/docs/guides/tasks.md')).text()).split('| You want to | Read |');
  const linksIn = (markdown: string) => [...markdown.matchAll(/\[([^\]]*)\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, text = '', target = '']) => ({ text, target }));
  const served = linksIn(table);
  expect(served.filter(({ target }) => !target.startsWith('../guides/') && target !== '../postman.json')).toEqual([]);
  expect(new Set(served.map(({ target }) => target)).size).toBeGreaterThan(15);
  const [, source = ''] = readFileSync(join(projectRoot(), 'docs/README.md'), 'utf8').split('| You want to | Read |');
  const unserved = ['operations/overview.md', 'operations/backup.md', 'operations/capacity.md', 'operations/disaster.md', 'operations/kubernetes.md', 'operations/slo.md', 'roles.md', 'security.md', 'security/questions.md', 'privacy.md', 'fuzzing.md', 'adding-an-endpoint.md', 'testing.md', '../CONTRIBUTING.md'];
  const texts = new Set(served.map(({ text }) => text));
  expect([...new Set(linksIn(source).filter(({ text }) => !texts.has(text)).map(({ target }) => target))].sort()).toEqual(unserved.sort());
});

it('shows the guides with their code, tables and links, each of which leads to what is there', async () => {
  const names = [...(await (await get('/docs')).text()).matchAll(/<a href="docs\/guides\/([\w-]+)">/g)].map(([, name = '']) => name);
  const pages = new Map<string, string>();
  for (const name of new Set(names)) {
    const page = await get(`/docs/guides/${name}`);
    const markdown = await get(`/docs/guides/${name}.md`);
    expect([name, page.status, markdown.status, markdown.headers.get('content-type')]).toEqual([name, 200, 200, 'text/markdown; charset=utf-8']);
    pages.set(name, await page.text());
    expect(await markdown.text()).toMatch(/^# /m);
  }
  expect(pages.get('webhooks')).toContain('<table>');
  expect(pages.get('quickstart')).toContain('<h1 id="');
  const files = new Set(['postman.json', ...['sync.ts', 'roster.ts', 'sync.py', 'roster_api.py', 'schema.sql', 'roster.csv', 'package.json'].map((name) => `examples/roster-sync/${name}`)].map((path) => `../${path}`));
  const broken = [...pages].flatMap(([name, page]) => {
    const [, article = ''] = page.split('<article class="guide">');
    const links = [...article.matchAll(/href="(?!https?:)([^"]+)"/g)].map(([, link = '']) => link);
    return links.filter((link) => {
      const [, target = name, fragment = ''] = /^(?:\.\.\/guides\/([\w-]+))?(?:#(.+))?$/.exec(link) ?? [undefined, 'none', 'none'];
      return !files.has(link) && (!pages.has(target) || (fragment !== '' && pages.get(target)?.includes(`id="${decodeURIComponent(fragment)}"`) !== true));
    }).map((link) => `${name}: ${link}`);
  });
  expect(broken).toEqual([]);
});

it.each(['sync.ts', 'roster.ts', 'sync.py', 'roster_api.py', 'schema.sql', 'roster.csv', 'package.json'])('serves the program of the roster sync as it is: %s', async (name) => {
  const answer = await get(`/docs/examples/roster-sync/${name}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(await answer.text()).toBe(readFileSync(`docs/examples/roster-sync/${name}`, 'utf8'));
  expect(await (await get('/docs/guides/roster-sync')).text()).toContain(`href="../examples/roster-sync/${name}"`);
});

it('says of a request which fields are required, and of a response at any depth only which may be absent', async () => {
  const [request = '', response = ''] = (await (await get('/docs/operations/createExam')).text()).split('Fields of <code>data</code>');
  expect([request.includes('class="required"'), response.includes('class="required"')]).toEqual([true, false]);
  const [, event = ''] = (await (await get('/docs/events/exam.graded')).text()).split('>Body<');
  expect(event.split('>Headers<')[0]).not.toContain('class="required"');
});

it.each(['signature', 'pagination', 'rate limit', 'retry', 'api key', 'statistics'])('finds a guide by what its headings are about: %s', async (words) => {
  const found = [...(await (await get('/docs')).text()).matchAll(/data-words="(guide [^"]*)"/g)].filter(([, entry = '']) => entry.includes(words));
  expect(found.length).toBeGreaterThan(0);
});

it('llms.txt names the served documents at their addresses, and every operation', async () => {
  const answer = await get('/llms.txt');
  const body = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toContain('`POST /students`');
  const links = [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => new URL(link, `${api.baseUrl}/llms.txt`));
  expect(links.length).toBeGreaterThan(15);
  for (const link of links) expect([link.pathname, (await fetch(link)).status]).toEqual([link.pathname, 200]);
});

it('has no script in its pages', async () => {
  for (const path of ['/docs', '/docs/operations/createStudent', '/docs/guides/webhooks']) {
    const html = await (await get(path)).text();
    expect([path, /<script(?! src=)|\son\w+=|style="/.exec(html.replace(/<code>[\s\S]*?<\/code>/g, ''))]).toEqual([path, null]);
  }
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
