import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionFile } from '../../local/connection';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { commandLine } from '../support/commandLine';
import { eventually } from '../support/eventually';
import { keyCommandLine } from '../support/keyCommandLine';

let folder: string;
let api: TestApi;
let institution: TestInstitution;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'open-'));
  api = await startTestApi();
  institution = await api.institution();
  mkdirSync(join(folder, '.local'));
  const connection = {
    base_url: api.baseUrl, api_key: institution.apiKey, platform_url: api.platformUrl, platform_token: api.settings.platformToken, temporal_ui: 'http://127.0.0.1:8233',
  } satisfies Partial<ConnectionFile>;
  writeFileSync(join(folder, '.local', 'connection.json'), JSON.stringify(connection));
});

afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('every page that open names is there', async () => {
  const local = commandLine({}, folder);
  expect(await local.text('open')).toBe(`${api.baseUrl}/docs\n`);
  expect(await local.json('open', 'temporal')).toEqual({ page: 'temporal', url: 'http://127.0.0.1:8233', opened: false });
  for (const page of ['docs', 'reference', 'openapi', 'console']) {
    const { url } = await local.json('open', page);
    expect((await fetch(url, { redirect: 'manual' })).status).toBeLessThan(400);
  }
  const { url } = await local.json('open', 'platform');
  expect((await fetch(url, { headers: { authorization: `Bearer ${api.settings.platformToken}` } })).status).toBe(200);
});

it('a page is opened where there is a display, and only printed with --print', async () => {
  const opener = join(folder, 'xdg-open');
  writeFileSync(opener, `#!/bin/sh\necho "$1" > '${folder}/opened'\n`);
  chmodSync(opener, 0o755);
  const environment = { BASE_URL: 'https://api.example.org/v1', DISPLAY: ':0', PATH: `${folder}:${process.env.PATH}` };
  expect(await commandLine(environment).json('open', 'docs', '--print')).toMatchObject({ opened: false });
  expect(existsSync(join(folder, 'opened'))).toBe(false);
  expect(await commandLine(environment).json('open', 'docs')).toEqual({ page: 'docs', url: 'https://api.example.org/v1/docs', opened: true });
  await eventually('the page', () => existsSync(join(folder, 'opened')) && readFileSync(join(folder, 'opened'), 'utf8') === 'https://api.example.org/v1/docs\n');
  expect(await commandLine({ ...environment, PATH: tmpdir() }).json('open', 'docs')).toMatchObject({ opened: false });
});

it.each(['file:///usr/bin/env', '/usr/bin/env', 'C:\\tools\\run.exe', 'http://a:b@127.0.0.1:8233', 'javascript:alert(1)'])('nothing is opened that the file of a folder calls the Web UI and is no page: %s', async (named) => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'open-'));
  mkdirSync(join(elsewhere, '.local'));
  writeFileSync(join(elsewhere, '.local', 'connection.json'), JSON.stringify({ temporal_ui: named } satisfies Partial<ConnectionFile>));
  const outcome = await commandLine({}, elsewhere).run('open', 'temporal');
  rmSync(elsewhere, { recursive: true, force: true });
  expect(outcome).toEqual({ code: 2, out: '', err: 'usage: .local/connection.json names no http or https address of a Web UI.\n' });
});

it('a page that is none, or whose service is not known, ends with 2', async () => {
  expect((await commandLine({}, folder).run('open', 'wiki')).err).toBe('usage: There is no page of this name; there are docs, reference, openapi, console, platform, temporal.\n');
  const nowhere = commandLine({}, tmpdir());
  expect(await nowhere.run('open', 'console')).toEqual({ code: 2, out: '', err: 'usage: Set PLATFORM_URL, or run it where npm start keeps .local/connection.json.\n' });
  expect(await nowhere.run('open', 'temporal')).toMatchObject({ code: 2 });
});

it('config says where key and token come from, and shows neither', async () => {
  const { code, out, err } = await commandLine({}, folder).run('config', '--json');
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toEqual({
    base_url: api.baseUrl, api_key: '.local/connection.json', environment: 'live', platform_url: api.platformUrl, platform_token: '.local/connection.json', webhooks_by: 'platform_token', problems: [],
  });
  for (const secret of [institution.apiKey, api.settings.platformToken]) expect(out).not.toContain(secret);
  expect(await commandLine({ API_KEY: 'svc_test_secret', BASE_URL: 'https://api.example.org/v1/' }, tmpdir()).json('config')).toEqual({
    base_url: 'https://api.example.org/v1', api_key: 'API_KEY', environment: 'test', platform_url: null, platform_token: null, webhooks_by: 'api_key', problems: [],
  });
});

it.each([
  ['nothing', {}, [/^Set BASE_URL and API_KEY/, /^Set PLATFORM_URL and PLATFORM_TOKEN/]],
  ['a key alone', { API_KEY: 'svc_test_secret' }, [/^API_KEY is set, BASE_URL is not: it is the address of the API, as in https:\/\/api\.example\.org\/v1\.$/]],
  ['a platform token, which needs no address', { PLATFORM_TOKEN: 'x'.repeat(40) }, []],
  ['a whole key, and the address of the platform alone', { API_KEY: 'svc_test_secret', BASE_URL: 'https://api.example.org/v1', PLATFORM_URL: 'https://platform.example.org' }, [/^PLATFORM_URL is set, PLATFORM_TOKEN is not\.$/]],
])('config shows the problems of what is set, and of both if nothing is: %s', async (_what, environment, problems) => {
  expect((await commandLine(environment, tmpdir()).json('config')).problems).toEqual(problems.map((problem) => expect.stringMatching(problem)));
});

it('me shows the key that is used, of the environment or of the running stack', async () => {
  expect(await keyCommandLine(api, institution.apiKey).json('me')).toMatchObject({ institution: { id: institution.id }, environment: 'live' });
  expect(await commandLine({}, folder).json('me')).toMatchObject({ institution: { id: institution.id } });
  expect(await keyCommandLine(api, institution.apiKey).run('me', '--actor', 'fac_1')).toEqual({ code: 2, out: '', err: 'usage: --actor is for operators: a key acts as itself.\n' });
});
