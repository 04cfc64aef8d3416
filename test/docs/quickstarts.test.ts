import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningWorker } from '../../activities/start';
import { freePort } from '../../local/ports';
import { startTestApi, type TestApi } from '../support/api';
import { installClient, typeErrorsIn, type ClientProject } from '../support/clientPackage';
import { codeBlock, readDocument, requirePython, writePrograms } from '../support/documents';
import { startReceiver, type Receiver } from '../support/receiver';
import { startTestWorker } from '../support/worker';

let api: TestApi;
let worker: RunningWorker;
let receiverPort: number;
let receiver: Receiver;
let project: ClientProject;

beforeAll(async () => {
  requirePython();
  receiverPort = await freePort();
  receiver = await startReceiver();
  project = await installClient();
  api = await startTestApi({ webhookTrustedHosts: [`localhost:${receiverPort}`, receiver.host] });
  worker = await startTestWorker(api.settings);
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  await receiver.close();
  project.remove();
});

/** What the types must refuse; that one does not is an error too. */
const misuses = `
import { InstitutionClient } from '@institution/client';
const client = new InstitutionClient({ baseUrl: '', apiKey: '' });
// @ts-expect-error -- no such path
void client.call('GET', '/pupils');
// @ts-expect-error -- not with this method
void client.call('DELETE', '/students');
// @ts-expect-error -- the path has an id
void client.call('GET', '/students/{id}');
// @ts-expect-error -- no such filter
void client.call('GET', '/students', { query: { colour: 'red' } });
// @ts-expect-error -- an exam has a title
void client.call('POST', '/exams', { body: { faculty_id: 'fac_1' } });
// @ts-expect-error -- no such field in the answer
void client.call('GET', '/students/{id}', { path: { id: 'stu_1' } }).then(({ colour }) => colour);
// @ts-expect-error -- no list of pages
void client.paginate('/me').next();
`;

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
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', ownPort], { cwd: folder });
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
  const scopes = ['students:write', 'faculty:write', 'groups:write', 'exams:write', 'submissions:read', 'webhooks:write'];

  it.each(['quickstart.sh', 'quickstart.js', 'quickstart.py'])('%s goes as it is written, from a key to a student, a group, an exam, a webhook and an export', async (program) => {
    const { apiKey } = await api.institution(scopes);
    const programs = writePrograms('docs/quickstart.md', ['quickstart.sh', 'quickstart.ts', 'quickstart.py']);
    try {
      project.lendTo(programs.folder);
      const pings = receiver.received.length;
      const output = await programs.run(program, { environment: { BASE_URL: api.baseUrl, API_KEY: apiKey, WEBHOOK_URL: receiver.url } });
      expect(output).toMatch(/student1\.[0-9a-f]{8}@/);
      for (const type of ['student.created', 'exam.published', 'exam.assigned']) expect(output).toContain(type);
      expect(output).toMatch(/delivered['"]?: ?true/i);
      expect(output).toMatch(/^student1\.[0-9a-f]{8}@\S+,SIS-1042,not_submitted,/m);
      expect(answersIn(output).filter(({ success }) => !success)).toEqual([]);
      expect(receiver.received.slice(pings).map(({ headers }) => headers['x-svc-event'])).toEqual(['ping']);
      const total = async (path: string, query = {}) => (await api.call('GET', path, { key: apiKey, query })).data.total;
      expect([await total('/students', { student_id: 'SIS-1042' }), await total('/groups'), await total('/webhooks/endpoints')]).toEqual([1, 1, 0]);
    } finally {
      programs.remove();
    }
  });

  it('names the scopes that its programs need, and no other', () => {
    const [, said = ''] = /with the scopes (.*?)\. /.exec(readDocument('docs/quickstart.md')) ?? [];
    expect([...said.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope)).toEqual(scopes);
  });
});

describe('clients/typescript/README.md', () => {
  it('its quickstart goes as it is written, in a project of its own, and its types agree', async () => {
    const { apiKey } = await api.institution(['students:write']);
    const programs = writePrograms('clients/typescript/README.md', ['first.ts']);
    try {
      project.lendTo(programs.folder);
      const output = await programs.run('first.js', { environment: { BASE_URL: api.baseUrl, API_KEY: apiKey } });
      expect(output).toMatch(/^created student1\.\S+@\S+\nAda King pending\n404 not_found\n$/);
      const sources = { 'first.ts': codeBlock('clients/typescript/README.md', 'first.ts'), 'quickstart.ts': codeBlock('docs/quickstart.md', 'quickstart.ts'), 'wrong.ts': misuses };
      for (const [name, source] of Object.entries(sources)) programs.write(name, source);
      expect(typeErrorsIn(programs.folder, Object.keys(sources))).toBe('');
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
