import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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

it('follows the recommended rules of OpenAPI', async () => {
  const { status, body } = await api.call('GET', '/openapi.json');
  expect(status).toBe(200);
  expect(await lint(body)).toEqual([]);
});
