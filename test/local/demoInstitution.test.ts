import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scopes } from '../../domain/scopes';
import { ensureDemo } from '../../local/demoInstitution';
import { startupMessage } from '../../local/startupMessage';
import { startTestApi, type TestApi } from '../support/api';
import { requestConsole } from '../support/console';

let api: TestApi;
let localDir: string;

beforeAll(async () => {
  api = await startTestApi();
  localDir = mkdtempSync(join(tmpdir(), 'demo-'));
});

afterAll(async () => {
  rmSync(localDir, { recursive: true });
  await api.stop();
});

it('the demo institution has an allowance, so that the credits of the guides go through, and is the same at the next start', async () => {
  const place = { localDir, apiUrl: api.baseUrl, platformUrl: api.platformUrl, platformToken: api.settings.platformToken };
  const demo = await ensureDemo(place);
  const { data } = await api.call('GET', '/merits/allowance', { key: demo.api_key });
  expect(data).toEqual({ allowance_cents: 500_000, granted_cents: 500_000, credited_cents: 0 });
  expect(await ensureDemo(place)).toEqual(demo);
});

it('the demo institution has a test key of its sandbox with every scope, also where an earlier release has made the institution', async () => {
  const place = { localDir, apiUrl: api.baseUrl, platformUrl: api.platformUrl, platformToken: api.settings.platformToken };
  const { test_key: key, ...earlier } = await ensureDemo(place);
  const { data } = await api.call('GET', '/me', { key });
  expect(data).toMatchObject({ environment: 'test', scopes: expect.arrayContaining(scopes.map(({ scope }) => scope).filter((scope) => scope.endsWith(':write'))) });
  writeFileSync(join(localDir, 'demo.json'), JSON.stringify(earlier));
  const upgraded = await ensureDemo(place);
  expect(upgraded).toEqual({ ...earlier, test_key: expect.stringMatching(/^svc_test_/) });
  expect(await ensureDemo(place)).toEqual(upgraded);
});

it('the demo has somebody who signs in to the console, also where an earlier release has made the institution', async () => {
  const place = { localDir, apiUrl: api.baseUrl, platformUrl: api.platformUrl, platformToken: api.settings.platformToken };
  const { console_token: token, ...earlier } = await ensureDemo(place);
  expect((await requestConsole(api, 'POST', '/console/sign-in', { form: { token } })).status).toBe(303);
  writeFileSync(join(localDir, 'demo.json'), JSON.stringify(earlier));
  const upgraded = await ensureDemo(place);
  expect(upgraded).toEqual({ ...earlier, console_token: expect.stringMatching(/^svc_staff_/) });
  expect((await requestConsole(api, 'POST', '/console/sign-in', { form: { token: upgraded.console_token } })).status).toBe(303);
});

it('the screen of a running stack shows both keys, the token for the console, and where the worker says whether it is ready', () => {
  const message = startupMessage({
    base_url: 'http://127.0.0.1:4000/v1', docs_url: 'http://127.0.0.1:4000/v1/docs', api_key: 'svc_live_1', test_key: 'svc_test_1', institution_id: 'ins_1',
    platform_url: 'http://127.0.0.1:4001/platform/v1', apps_url: 'http://127.0.0.1:4003/platform/v1', platform_token: 'token', console_url: 'http://127.0.0.1:4001/console', console_token: 'svc_staff_1', worker_url: 'http://127.0.0.1:4002', temporal_address: '127.0.0.1:7233',
    temporal_ui: 'http://127.0.0.1:8233', database_url: 'postgres://127.0.0.1/x', redis_url: 'redis://127.0.0.1', mail_dir: '.local/mail', demo_receiver_port: 4010,
  }, join(process.cwd(), '.local'));
  expect(message).toMatch(/^ {2}Apps API +http:\/\/127\.0\.0\.1:4003\/platform\/v1$/m);
  expect(message).toMatch(/^ {2}Demo key +svc_live_1$/m);
  expect(message).toMatch(/^ {2}Console token +svc_staff_1$/m);
  expect(message).toMatch(/^ {2}Worker +http:\/\/127\.0\.0\.1:4002\/readyz$/m);
  expect(message).toMatch(/^ {2}Test key +svc_test_1, of its sandbox$/m);
});
