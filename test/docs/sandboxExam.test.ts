import { freePort } from '../../local/ports';
import { startTestApi, type TestApi } from '../support/api';
import { installClient, type ClientProject } from '../support/clientPackage';
import { section } from '../support/documents';
import { installPythonClient, type PythonProject } from '../support/pythonClient';
import { createScriptRunner, type ScriptResult, type ScriptRunner } from '../support/scripts';

const document = 'docs/exams.md';

/** The program in each language, and how it prints a list of one name and that something is true. */
const programs = [
  { name: 'sandbox-exam.ts', isOpened: 'true', handedIn: "[ 'workspace.zip' ]" },
  { name: 'sandbox_exam.py', isOpened: 'True', handedIn: "['workspace.zip']" },
];

/** The scopes that the document says its program needs. */
const saidScopes = [...(/The key needs (.*?);/.exec(section(document, '## The whole way in the sandbox'))?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, scope = '']) => scope);

let api: TestApi;
let client: ClientProject;
let pythonClient: PythonProject;
const readers: ScriptRunner[] = [];
const results = new Map<string, { ofTestKey: ScriptResult[]; ofLiveKey: ScriptResult }>();

beforeAll(async () => {
  const installing = installClient();
  const installingPython = installPythonClient();
  // URLs of files lead to where the service says that it is.
  const port = await freePort();
  api = await startTestApi({ port, publicBaseUrl: `http://127.0.0.1:${port}/v1` });
  const institution = await api.institution();
  const readerWith = (api_key: string): ScriptRunner => {
    const connection = { base_url: api.baseUrl, api_key, platform_url: api.platformUrl, platform_token: '', institution_id: institution.id };
    const reader = createScriptRunner({ connection, environment: {}, replaced: [], client: installing, pythonClient: installingPython });
    readers.push(reader);
    return reader;
  };
  const ofTestKey = readerWith(await api.keyFor(institution, saidScopes, 'test'));
  const ofLiveKey = readerWith(await api.keyFor(institution, saidScopes));
  await Promise.all(programs.map(async ({ name }) => {
    const runs = [await ofTestKey.run({ document, name }), await ofTestKey.run({ document, name })];
    results.set(name, { ofTestKey: runs, ofLiveKey: await ofLiveKey.run({ document, name }) });
  }));
  [client, pythonClient] = await Promise.all([installing, installingPython]);
});

afterAll(async () => {
  for (const one of [...readers, client, pythonClient]) one.remove();
  await api.stop();
});

it.each(programs)('docs/exams.md $name goes from a coding exam to its grade with the scopes that the document names, twice', ({ name, isOpened, handedIn }) => {
  const { ofTestKey = [] } = results.get(name) ?? {};
  expect(ofTestKey.map(({ code, errorOutput }) => [code, errorOutput])).toEqual([[0, ''], [0, '']]);
  for (const { output } of ofTestKey) {
    expect(output.split('\n').slice(0, 3)).toEqual([`opened ${isOpened}`, `handed in ${handedIn}`, expect.stringMatching(/^graded 90(\.0)?$/)]);
    expect(output).toMatch(/^\S+@\S+,,graded,9,10,90,false,/m);
  }
});

it.each(programs)('docs/exams.md $name ends at the first call of the sandbox with a live key', ({ name }) => {
  const { ofLiveKey } = results.get(name) ?? {};
  expect(ofLiveKey?.code).not.toBe(0);
  expect(ofLiveKey?.errorOutput).toContain('not_found');
});
