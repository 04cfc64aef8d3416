import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningWorker } from '../../activities/start';
import { freePort } from '../../local/ports';
import { startTestApi, type TestApi } from '../support/api';
import { readDocument, requirePython, writePrograms } from '../support/documents';
import { startTestWorker } from '../support/worker';

let api: TestApi;
let worker: RunningWorker;
let receiverPort: number;

beforeAll(async () => {
  requirePython();
  receiverPort = await freePort();
  api = await startTestApi({ webhookTrustedHosts: [`localhost:${receiverPort}`] });
  worker = await startTestWorker(api.settings);
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
});

/** The answers among the lines that a script of curl commands printed. */
const answersIn = (output: string): { success: boolean; data: Record<string, unknown> }[] =>
  output.split('\n').filter((line) => line.startsWith('{"success"')).map((line) => JSON.parse(line));

it('the five minutes of the README go as they are written', async () => {
  const [, script = ''] = /## Five minutes[\s\S]*?^```bash\n([\s\S]*?)^```$/m.exec(readDocument('README.md')) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  try {
    const { apiKey } = await api.institution();
    mkdirSync(join(folder, '.local'));
    writeFileSync(join(folder, '.local/connection.json'), JSON.stringify({ base_url: api.baseUrl, api_key: apiKey }));
    const ownPort = script.replaceAll('4010', String(receiverPort));
    const { stdout, stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', ownPort], { cwd: folder });
    expect(stderr).toBe('');
    const answers = answersIn(stdout);
    expect(answers.filter(({ success }) => !success)).toEqual([]);
    expect(answers).toHaveLength((script.match(/^curl /gm) ?? []).length);
    expect(answers[2]?.data).toMatchObject({ created: 1, failed: 1, results: [{ index: 0 }, { index: 1, error: 'validation_error' }] });
    expect(stdout).toMatch(/^student\.updated \{"id":"evt_/m);
    expect(answers.at(-1)?.data).toMatchObject({ deleted: true });
    expect(answers.at(-2)?.data).toMatchObject({ items: [{ event_type: 'student.updated', status: 'delivered' }], total: 1 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('docs/quickstart.md', () => {
  it.each(['quickstart.sh', 'quickstart.js', 'quickstart.py'])('%s goes as it is written', async (program) => {
    const { apiKey } = await api.institution(['students:write', 'webhooks:read']);
    const programs = writePrograms('docs/quickstart.md', ['quickstart.sh', 'quickstart.ts', 'quickstart.py']);
    try {
      const output = await programs.run(program, { environment: { BASE_URL: api.baseUrl, API_KEY: apiKey } });
      expect(output).toMatch(/student1\.[0-9a-f]{8}@/);
      expect(output).toContain('student.created');
      expect(answersIn(output).filter(({ success }) => !success)).toEqual([]);
      const { data } = await api.call('GET', '/students', { key: apiKey, query: { student_id: 'SIS-1042' } });
      expect(data.total).toBe(1);
    } finally {
      programs.remove();
    }
  });
});

describe('docs/exams.md', () => {
  it('its coding exam goes as it is written', async () => {
    const { apiKey, adminLoginEmail } = await api.institution(['exams:write']);
    const programs = writePrograms('docs/exams.md', ['coding-exam.ts']);
    try {
      programs.write('hidden.zip', 'tests that nobody sees');
      const output = await programs.run('coding-exam.js', { environment: { BASE_URL: api.baseUrl, API_KEY: apiKey, OWNER: adminLoginEmail, HIDDEN_ZIP: 'hidden.zip' } });
      expect(output).toMatch(/^exm_\w{26} published svccode true$/m);
    } finally {
      programs.remove();
    }
  });
});
