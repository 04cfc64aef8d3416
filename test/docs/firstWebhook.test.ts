import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../local/ports';
import { projectRoot } from '../../local/projectRoot';
import { startTestApi, type TestApi } from '../support/api';
import { codeBlock } from '../support/documents';
import { startReceiver } from '../support/receiver';
import { openSandboxOf } from '../support/sandboxes';

let api: TestApi;
let folder: string;

beforeAll(async () => {
  api = await startTestApi();
  folder = mkdtempSync(join(tmpdir(), 'first-webhook-'));
  const root = projectRoot();
  // It ends with its standard input, which a script puts at its end at once for a command in the background.
  writeFileSync(join(folder, 'institution'), `#!/bin/sh\nexec '${process.execPath}' --require '${root}/test/support/compileSource.js' '${root}/cli/main.ts' "$@"\n`);
  chmodSync(join(folder, 'institution'), 0o755);
});

afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the script with its receiver at another port. */
async function run(port: number, key: string): Promise<{ code: number | null; output: string; errorOutput: string }> {
  const script = codeBlock('docs/cli.md', 'first-webhook.sh');
  const shell = spawn('bash', ['--norc', '-c', script], { cwd: folder, env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, BASE_URL: api.baseUrl, API_KEY: key, RECEIVER_PORT: String(port) } });
  const ended = new Promise<number | null>((resolve, reject) => shell.once('close', resolve).once('error', reject));
  const [output, errorOutput, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  return { code, output, errorOutput };
}

it('docs/cli.md first-webhook.sh listens, triggers an event, and its receiver gets it', async () => {
  const sandbox = await openSandboxOf(api, await api.institution());
  const { code, output, errorOutput } = await run(await freePort(), sandbox.key);
  expect([code, output]).toEqual([0, expect.stringMatching(/"type": "exam\.graded"[\s\S]*The receiver has it\n$/)]);
  expect(output).toMatch(/^\{"id":"evt_\w+","type":"exam\.graded",.+"response_code":200,.+\}$/m);
  expect(errorOutput).not.toContain(sandbox.key);
});

it('docs/cli.md first-webhook.sh ends where its port is in use, names the port, and sends nothing there', async () => {
  const receiver = await startReceiver();
  const port = Number(new URL(receiver.url).port);
  const ran = await run(port, 'svc_test_x');
  const { received } = receiver;
  await receiver.close();
  expect(ran).toEqual({ code: 1, output: '', errorOutput: `Port ${port} is in use: end what listens there first, or name another in RECEIVER_PORT\n` });
  expect(received.map(({ headers }) => headers['x-svc-event'])).toEqual([undefined]);
});
