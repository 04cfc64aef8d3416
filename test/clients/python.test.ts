import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locatedOperations } from '../../api/http/openapi/document';
import { samplesOf } from '../../api/http/openapi/explorer/samples';
import { publicDocument } from '../../api/http/openapi/publicDocument';
import { publicOperations } from '../../api/operations/public';
import { freePort } from '../../local/ports';
import type { RunningWorker } from '../../worker/start';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { codeBlock } from '../support/documents';
import { installPythonClient, type PythonProject, type PythonResult } from '../support/pythonClient';
import { stack } from '../support/stack';
import { startTestWorker } from '../support/worker';

const root = join(__dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

let api: TestApi;
let worker: RunningWorker;
let institution: TestInstitution;
let client: PythonProject;
let environment: Record<string, string>;
let results: Record<'offline' | 'service' | 'users' | 'receivers' | 'sources' | 'linted' | 'formatted', PythonResult>;

/** The programs of other documents that use the client, and where they are; test/docs runs them. */
const programsOfTasks = {
  'sign_in_slips.py': 'docs/first-sign-in.md',
  'renew_licenses.py': 'docs/licenses.md',
  'coding_exam.py': 'docs/exams.md',
  'sandbox_exam.py': 'docs/exams.md',
  'reset_sandbox.py': 'docs/sandbox.md',
};

/** The samples of the reference, each in a function of its own. */
function pythonSamples(): string {
  const document = publicDocument(publicOperations, 'http://localhost:4000/v1');
  const functions = locatedOperations(document).map((located, nth) => {
    const { text: code = '' } = samplesOf(document, located).find(({ id }) => id === 'python') ?? {};
    return `def sample_${nth}() -> None:\n${code.split('\n').map((line) => (line === '' ? '' : `    ${line}`)).join('\n')}\n`;
  });
  return functions.join('\n\n');
}

/** Runs everything that takes long at once: much of it waits. */
async function runChecks(receiverPorts: string, databaseUrl: string): Promise<typeof results> {
  const { folder } = client.programs;
  cpSync(join(root, 'clients/python/tests/typing_uses.py'), join(folder, 'typing_uses.py'));
  client.programs.write('samples.py', pythonSamples());
  for (const name of ['flask_receiver.py', 'fastapi_receiver.py', 'postgres_store.py']) client.programs.write(name, codeBlock('clients/python/README.md', name));
  for (const [name, document] of Object.entries(programsOfTasks)) client.programs.write(name, codeBlock(document, name));
  const mypy = (cache: string, ...args: string[]): string[] => ['mypy', '--cache-dir', join(folder, cache), ...args];
  const ofUsers = mypy('mypy-of-users', '--strict', '--warn-unused-ignores', '--python-executable', client.integratorPython, 'first.py', 'first_async.py', 'rows.py', 'statuses.py', 'narrow.py', 'typing_uses.py', 'samples.py', 'sign_in_slips.py', 'renew_licenses.py');
  const pytest = ['pytest', '-q', '--durations=5'];
  const [offline, service, users, receivers, sources, linted, formatted] = await Promise.all([
    client.run([...pytest, 'tests/test_calls.py', 'tests/test_failed_writes.py', 'tests/test_hooks.py', 'tests/test_proxy.py', 'tests/test_webhooks.py', 'tests/test_webhook_options.py']),
    client.run([...pytest, 'tests/test_service.py', 'tests/test_receivers.py', 'tests/test_stores.py'], { environment: { ...environment, RECEIVER_PORTS: receiverPorts, RECEIVER_DATABASE_URL: databaseUrl } }),
    client.run(ofUsers, { folder, environment: { PYTHONPATH: '' } }),
    client.run(mypy('mypy-of-receivers', '--strict', 'flask_receiver.py', 'fastapi_receiver.py', 'postgres_store.py', 'coding_exam.py', 'sandbox_exam.py', 'reset_sandbox.py'), { folder, environment: { PYTHONPATH: '', MYPYPATH: join(root, 'clients/python/src') } }),
    client.run(mypy('mypy-of-sources', 'src', 'tests'), { environment: { PYTHONPATH: '', MYPYPATH: 'src' } }),
    client.run(['ruff', 'check', '--no-cache', '.']),
    client.run(['ruff', 'format', '--no-cache', '--check', '.']),
  ]);
  return { offline, service, users, receivers, sources, linted, formatted };
}

/** What a check said that failed; empty if it did not. */
const failureOf = ({ code, output }: PythonResult): string => (code === 0 ? '' : output);

beforeAll(async () => {
  const ports = [await freePort(), await freePort()];
  client = await installPythonClient();
  api = await startTestApi({ webhookTrustedHosts: ports.map((port) => `127.0.0.1:${port}`) });
  worker = await startTestWorker(api.settings);
  institution = await api.institution();
  environment = { BASE_URL: api.baseUrl, API_KEY: institution.apiKey, TEST_API_KEY: (await api.sandboxOf(institution)).apiKey };
  results = await runChecks(ports.join(','), (await stack()).ownerDatabaseUrl);
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  client.remove();
});

it.each(['offline', 'service'] as const)('the tests of the Python client pass: %s', (part) => {
  expect(failureOf(results[part])).toBe('');
  expect(results[part].output).toMatch(/^\d+ passed in /m);
});

it('every test of the Python client is run here', () => {
  const files = readdirSync(join(root, 'clients/python/tests')).filter((name) => name.startsWith('test_'));
  expect(files.sort()).toEqual(['test_calls.py', 'test_failed_writes.py', 'test_hooks.py', 'test_proxy.py', 'test_receivers.py', 'test_service.py', 'test_stores.py', 'test_webhook_options.py', 'test_webhooks.py']);
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
  expect(await client.programs.run('first.py', { environment: own })).toMatch(/^created student\d+\.\S+@\S+ pending\nAda King True\n404 not_found\n$/);
  // Each run has a student of its own.
  expect(await client.programs.run('first.py', { environment: own })).toMatch(/ pending\nAda King True\n404 not_found\n$/);
  const output = await client.programs.run('first_async.py', { environment: own });
  expect(output).toMatch(/^1 created, 1 failed\nemail,student_id,\S+\n(student\.created \S+@\S+\n)+$/);
  expect(await client.programs.run('statuses.py', { environment: own })).toMatch(/^\d+\n$/);
  await expect(client.programs.run('statuses.py', { environment: { ...own, STATUS: 'gone' } })).rejects.toThrow('STATUS must be one of pending, active, suspended');
  expect(await client.programs.run('rows.py', { environment: own })).toMatch(/^created 0 \S+@\S+\nfailed 1 \S.*\n$/);
});

it('the programs of the documents, the samples of the reference and the uses of the types agree with the types of the installed package', () => {
  expect(results.users).toEqual({ code: 0, output: 'Success: no issues found in 9 source files\n' });
  expect(failureOf(results.receivers)).toBe('');
});

it('mypy and ruff find nothing in its sources and tests', () => {
  expect([results.sources, results.linted, results.formatted].map(failureOf)).toEqual(['', '', '']);
});
