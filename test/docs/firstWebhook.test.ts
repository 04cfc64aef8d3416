import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../local/ports';
import { projectRoot } from '../../local/projectRoot';
import { startTestApi, type TestApi } from '../support/api';
import { codeBlock } from '../support/documents';
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

it('docs/cli.md first-webhook.sh listens, triggers an event, and its receiver gets it', async () => {
  const sandbox = await openSandboxOf(api, await api.institution());
  const script = codeBlock('docs/cli.md', 'first-webhook.sh').replaceAll('4010', String(await freePort()));
  const shell = spawn('bash', ['--norc', '-c', script], { cwd: folder, env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, BASE_URL: api.baseUrl, API_KEY: sandbox.key } });
  const ended = new Promise<number | null>((resolve, reject) => shell.once('close', resolve).once('error', reject));
  const [output, errorOutput, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  expect([code, output]).toEqual([0, expect.stringMatching(/"type": "exam\.graded"[\s\S]*The receiver has it\n$/)]);
  expect(output).toMatch(/^\{"id":"evt_\w+","type":"exam\.graded",.+"response_code":200,.+\}$/m);
  expect(errorOutput).not.toContain(sandbox.key);
});
