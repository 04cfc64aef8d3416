import { freePort } from '../../local/ports';
import { startTestApi, type TestApi } from '../support/api';
import { installClient, type ClientProject } from '../support/clientPackage';
import { section } from '../support/documents';
import { createScriptRunner, type ScriptResult, type ScriptRunner } from '../support/scripts';

const script = { document: 'docs/exams.md', name: 'sandbox-exam.ts' };

/** The scopes that the document says its program needs. */
const saidScopes = [...(/The key needs (.*?);/.exec(section('docs/exams.md', '## The whole way in the sandbox'))?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, scope = '']) => scope);

let api: TestApi;
let client: ClientProject;
const readers: ScriptRunner[] = [];
const results: ScriptResult[] = [];
let ofLiveKey: ScriptResult;

beforeAll(async () => {
  const installing = installClient();
  // URLs of files lead to where the service says that it is.
  const port = await freePort();
  api = await startTestApi({ port, publicBaseUrl: `http://127.0.0.1:${port}/v1` });
  const institution = await api.institution();
  const run = async (api_key: string): Promise<ScriptResult> => {
    const connection = { base_url: api.baseUrl, api_key, platform_url: api.platformUrl, platform_token: '', institution_id: institution.id };
    const reader = createScriptRunner({ connection, environment: {}, replaced: [], client: installing });
    readers.push(reader);
    return reader.run(script);
  };
  const testKey = await api.keyFor(institution, saidScopes, 'test');
  results.push(await run(testKey), await run(testKey));
  ofLiveKey = await run(await api.keyFor(institution, saidScopes));
  client = await installing;
});

afterAll(async () => {
  for (const one of [...readers, client]) one.remove();
  await api.stop();
});

it('docs/exams.md sandbox-exam.ts goes from a coding exam to its grade with the scopes that the document names, twice', () => {
  expect(results.map(({ code, errorOutput }) => [code, errorOutput])).toEqual([[0, ''], [0, '']]);
  for (const { output } of results) {
    expect(output).toMatch(/^opened true\nhanded in \[ 'workspace\.zip' \]\ngraded 90\n/);
    expect(output).toMatch(/^\S+@\S+,,graded,9,10,90,false,/m);
  }
});

it('docs/exams.md sandbox-exam.ts ends at the first call of the sandbox with a live key', () => {
  expect(ofLiveKey.code).not.toBe(0);
  expect(ofLiveKey.errorOutput).toContain('not_found');
});
