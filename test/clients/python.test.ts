import { readFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../local/ports';
import type { RunningWorker } from '../../worker/start';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { installPythonClient, type PythonProject, type PythonResult } from '../support/pythonClient';
import { startTestWorker } from '../support/worker';

const root = join(__dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

let api: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;
let client: PythonProject;
let tests: PythonResult;
let environment: Record<string, string>;

beforeAll(async () => {
  const ports = [await freePort(), await freePort()];
  [api, client] = await Promise.all([startTestApi({ webhookTrustedHosts: ports.map((port) => `127.0.0.1:${port}`) }), installPythonClient()]);
  worker = await startTestWorker(api.settings);
  institution = await api.institution();
  environment = { BASE_URL: api.baseUrl, API_KEY: institution.apiKey };
  tests = await client.run(['pytest', '-q', '--durations=5'], { environment: { ...environment, RECEIVER_PORTS: ports.join(',') } });
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  client.remove();
});

it('the tests of the Python client pass, with the wheel against the running service', () => {
  expect(tests).toEqual({ code: 0, output: expect.stringMatching(/\d+ passed/) });
  expect(tests.output).not.toMatch(/skipped|xfailed|deselected/);
});

it('the wheel has the version of the service, the types marker and the license, and no tests', () => {
  const [wheel, ...files] = client.wheelFiles;
  expect(wheel).toBe(`institution_client-${version}-py3-none-any.whl`);
  const info = `institution_client-${version}.dist-info`;
  expect(files).toEqual(expect.arrayContaining(['institution/py.typed', 'institution/models.py', `${info}/licenses/LICENSE`, `${info}/METADATA`]));
  expect(files.filter((name) => !/^institution\/\w+\.(py|typed)$/.test(name) && !name.startsWith(`${info}/`))).toEqual([]);
});

it('the programs of the README run as they are written, after its installation', async () => {
  const own = { ...environment, PATH: `${join(client.programs.folder, 'venv/bin')}:${process.env.PATH ?? ''}` };
  expect(await client.programs.run('first.py', { environment: own })).toMatch(/^created student\d+\.\S+@\S+ pending\n(Ada King True\n)+404 not_found\n$/);
  const output = await client.programs.run('first_async.py', { environment: own });
  expect(output).toMatch(/^1 created, 1 failed\nlogin_email,\S+\n(student\.created \S+@\S+\n)+$/);
});

it('the programs of the README and the uses of the types agree with the types of the installed package', async () => {
  cpSync(join(root, 'clients/python/tests/typing_uses.py'), join(client.programs.folder, 'typing_uses.py'));
  const checked = ['first.py', 'first_async.py', 'typing_uses.py'];
  const cache = join(client.programs.folder, 'mypy');
  expect(await client.run(['mypy', '--strict', '--warn-unused-ignores', '--cache-dir', cache, '--python-executable', client.integratorPython, ...checked], { folder: client.programs.folder, environment: { PYTHONPATH: '' } }))
    .toEqual({ code: 0, output: 'Success: no issues found in 3 source files\n' });
});

it('mypy and ruff find nothing in its sources and tests', async () => {
  const cache = join(client.programs.folder, 'mypy-of-tests');
  const typed = await client.run(['mypy', '--cache-dir', cache, 'src', 'tests'], { environment: { PYTHONPATH: '', MYPYPATH: 'src' } });
  const linted = await client.run(['ruff', 'check', '--no-cache', '.']);
  const formatted = await client.run(['ruff', 'format', '--no-cache', '--check', '.']);
  expect([typed, linted, formatted].map(({ code, output }) => (code === 0 ? '' : output))).toEqual(['', '', '']);
});
