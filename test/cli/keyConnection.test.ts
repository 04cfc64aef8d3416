import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionFile } from '../../local/connection';
import type { RunningWorker } from '../../worker/start';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { commandLine } from '../support/commandLine';
import { openSandboxOf, type TestSandbox } from '../support/sandboxes';
import { startStubServer, succeeds } from '../support/stubServer';
import { startTestWorker } from '../support/worker';

let api: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;
let sandbox: TestSandbox;
let folder: string;

beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api.settings);
  institution = await api.institution();
  sandbox = await openSandboxOf(api, institution);
  folder = mkdtempSync(join(tmpdir(), 'stack-'));
  mkdirSync(join(folder, '.local'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await worker.stop();
  await api.stop();
});

/** Writes what a local stack says about itself into the folder. */
const writeStack = (keys: Partial<ConnectionFile>): void => writeFileSync(join(folder, '.local', 'connection.json'), JSON.stringify({ base_url: api.baseUrl, ...keys } satisfies Partial<ConnectionFile>));

describe('trigger without a key in the environment', () => {
  it('takes the test key of the local stack, and says so on one line', async () => {
    writeStack({ api_key: institution.apiKey, test_key: sandbox.key });
    const { code, out, err } = await commandLine({}, folder).run('trigger', 'student.created', '--json');
    expect([code, err]).toEqual([0, 'Uses test_key of .local/connection.json: listen and events see what happens with the same key as API_KEY, with BASE_URL.\n']);
    expect(JSON.parse(out).items.map(({ type }: { type: string }) => type)).toContain('student.created');
    expect((await api.call('GET', '/students', { key: institution.apiKey })).data.total).toBe(0);
  });

  it('is refused where the local stack names no test key', async () => {
    writeStack({ api_key: institution.apiKey });
    expect(await commandLine({}, folder).run('trigger', 'student.created')).toEqual({ code: 2, out: '', err: expect.stringMatching(/^usage: The key is no test key/) });
  });

  it('other commands take the live key of the local stack', async () => {
    writeStack({ api_key: institution.apiKey, test_key: sandbox.key });
    expect((await commandLine({}, folder).json('me')).environment).toBe('live');
  });
});

it('trigger with a live key in the environment is refused next to a local stack, too', async () => {
  writeStack({ api_key: institution.apiKey, test_key: sandbox.key });
  const live = commandLine({ BASE_URL: api.baseUrl, API_KEY: institution.apiKey }, folder);
  expect(await live.run('trigger', 'student.created')).toEqual({ code: 2, out: '', err: expect.stringMatching(/^usage: The key is no test key/) });
});

it.each([
  ['with the word Bearer', 'Bearer svc_test_1', 'API_KEY is the API key alone, without Bearer: the command sends that.'],
  ['with that word in lower case', 'bearer  svc_live_1', 'API_KEY is the API key alone, without Bearer: the command sends that.'],
  ['of another kind', 'hello', 'API_KEY is no API key: it must begin with svc_live_ or svc_test_.'],
  ['in upper case', 'SVC_LIVE_1', 'API_KEY is no API key: it must begin with svc_live_ or svc_test_.'],
  ['of an endpoint', 'whsec_c29tZSBzZWNyZXQgb2YgeW91cnM=', 'API_KEY is the secret or the public key of an endpoint, no API key: it must begin with svc_live_ or svc_test_.'],
  ['with a line break', 'svc_live_1\n', 'API_KEY holds blanks or characters that no API key has.'],
])('a key %s is refused before any request, with what is right, and is not shown', async (_what, key, message) => {
  const server = await startStubServer([succeeds({})]);
  const ran = await commandLine({ BASE_URL: `${new URL(server.baseUrl).origin}/v1`, API_KEY: key }, tmpdir()).run('me');
  expect([ran, server.requests]).toEqual([{ code: 2, out: '', err: `usage: ${message}\n` }, []]);
  await server.close();
});

it('a platform token with the word Bearer is refused before any request', async () => {
  const ran = await commandLine({ PLATFORM_URL: 'http://127.0.0.1:1', PLATFORM_TOKEN: 'Bearer token' }, tmpdir()).run('institutions', 'list');
  expect(ran.err).toBe('usage: PLATFORM_TOKEN is the platform token alone, without Bearer: the command sends that.\n');
});
