import type { RunningWorker } from '../../worker/start';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { installClient } from '../support/clientPackage';
import { installPythonClient } from '../support/pythonClient';
import { createScriptRunner, type ScriptRunner } from '../support/scripts';
import { startTestWorker } from '../support/worker';

const document = 'docs/sandbox.md';

let api: TestApi;
let worker: RunningWorker | undefined;
let sandbox: TestInstitution;
let reader: ScriptRunner;
const [installing, installingPython] = [installClient(), installPythonClient()];

beforeAll(async () => {
  api = await startTestApi();
  sandbox = await api.sandboxOf(await api.institution());
  const connection = { base_url: api.baseUrl, api_key: sandbox.apiKey, platform_url: api.platformUrl, platform_token: '', institution_id: sandbox.id };
  reader = createScriptRunner({ connection, environment: {}, replaced: [], client: installing, pythonClient: installingPython });
  await Promise.all([installing, installingPython]);
});

afterAll(async () => {
  for (const one of [reader, await installing, await installingPython]) one.remove();
  await worker?.stop();
  await api.stop();
});

/** How a program ends whose sandbox has a student, and is reset by a worker that starts a second later. */
async function runBeforeWorker(name: string) {
  await api.call('POST', '/students', { key: sandbox.apiKey, body: { full_name: 'Ada Lovelace' } });
  const running = reader.run({ document, name });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  worker = await startTestWorker(api.settings);
  const { code, output, errorOutput } = await running;
  await worker.stop();
  worker = undefined;
  return [code, output, errorOutput];
}

it.each(['reset-sandbox.ts', 'reset_sandbox.py'])('docs/sandbox.md %s resets the sandbox, and waits until it can be used again', async (name) => {
  expect(await runBeforeWorker(name)).toEqual([0, 'students 0\n', '']);
});
