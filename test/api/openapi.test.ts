import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openApiPath } from '../../api/http/openapi/operation';
import { resources } from '../../api/resources';
import { startTestApi, type TestApi } from '../support/api';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ publicBaseUrl: 'https://api.institution.test/v1' });
});

afterAll(() => api.stop());

/** What the linter says of a document, with its recommended rules. */
async function lint(document: unknown): Promise<unknown> {
  const linter = spawn(process.execPath, [join(__dirname, '../support/lintOpenApi.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  linter.stdin.end(JSON.stringify(document));
  return JSON.parse(await text(linter.stdout));
}

it('the public document follows the recommended rules of OpenAPI', async () => {
  expect(await lint(api.served.document)).toEqual([]);
});

it('the platform document follows them too', async () => {
  const { status, body } = await api.platform('GET', '/openapi.json', { key: undefined });
  expect(status).toBe(200);
  expect(await lint(body)).toEqual([]);
});

it('the public document is served without a key, for the public address', async () => {
  const { status, headers, body } = await api.call('GET', '/openapi.json');
  expect([status, headers.get('content-type'), body.openapi]).toEqual([200, 'application/json; charset=utf-8', '3.1.0']);
  expect(body.servers).toEqual([{ url: 'https://api.institution.test/v1' }]);
  expect(headers.get('x-request-id')).toMatch(/^req_/);
});

it('names the scope that each operation requires', async () => {
  const said = resources.map(({ method, path, access }) => [
    `${method} ${path}`,
    access.by === 'key' ? (access.scope ?? undefined) : undefined,
  ]);
  const served = resources.map(({ method, path }) => [
    `${method} ${path}`,
    api.served.document.paths[openApiPath(path)]?.[method.toLowerCase()]?.['x-required-scope'],
  ]);
  expect(served).toEqual(said);
});
