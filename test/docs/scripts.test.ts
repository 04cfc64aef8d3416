import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningWorker } from '../../worker/start';
import { freePort } from '../../local/ports';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { installClient, typeErrorsIn, type ClientProject } from '../support/clientPackage';
import { codeBlock, codeBlocks, documents, readDocument, requirePython, writePrograms } from '../support/documents';
import { readMetrics } from '../support/metrics';
import { programsElsewhere } from '../support/programsElsewhere';
import { installPythonClient, type PythonProject } from '../support/pythonClient';
import { startReceiver, type Receiver } from '../support/receiver';
import { createScriptRunner, type ScriptResult, type ScriptRunner, type Script } from '../support/scripts';
import { startTestWorker } from '../support/worker';

/** The answers among the lines that a script of curl commands printed. */
const answersIn = (output: string): { success: boolean; data: Record<string, unknown> }[] =>
  output.split('\n').filter((line) => line.startsWith('{"success"')).map((line) => JSON.parse(line));

/** What every quickstart prints, in any language. */
function expectQuickstart(output: string): void {
  expect(output).toMatch(/student\d+\.[0-9a-f]{8}@/);
  for (const type of ['student.created', 'exam.published', 'exam.assigned']) expect(output).toContain(type);
  expect(output).toMatch(/delivered['"]?: ?true/i);
  expect(output).toMatch(/^student\d+\.[0-9a-f]{8}@\S+,SIS-1042,not_submitted,/m);
}

/** What the programs that print slips print. */
function expectSlips(output: string): void {
  expect(output).toMatch(/^name,login_email,code,valid_until\n("[^\n]*","\S+@\S+","[A-Z0-9]{10}","\d{4}-\d\d-\d\dT[\d:.]+Z"\n)+$/);
}

/** What the programs that renew licenses print: the student of the README is suspended, and not renewed. */
function expectRenewal(output: string): void {
  expect(output).toMatch(/^renewed \d+, left as they are [1-9]\d*\n$/);
}

interface Described extends Script {
  /** Scripts of a group run one after the other, concurrently with other groups: the first counts what students cause, the second share a student. */
  group: 'students' | 'quickstart' | 'others';
  expects: (output: string) => void;
}

/** Every script that a reader can run as it stands, and what it prints. */
const scripts: readonly Described[] = [
  {
    document: 'README.md',
    name: 'five-minutes.sh',
    group: 'students',
    expects: (output) => {
      const answers = answersIn(output);
      expect(answers[2]?.data).toMatchObject({ created: 1, failed: 1, results: [{ index: 0 }, { index: 1, error: 'validation_error' }] });
      expect(output).toMatch(/^student\.updated \{"id":"evt_/m);
      expect(answers.at(-2)?.data).toMatchObject({ items: [{ event_type: 'student.updated', status: 'delivered' }], total: 1 });
      expect(answers.at(-1)?.data).toMatchObject({ deleted: true });
    },
  },
  { document: 'docs/quickstart.md', name: 'quickstart.sh', group: 'quickstart', expects: expectQuickstart },
  { document: 'docs/quickstart.md', name: 'quickstart.ts', group: 'quickstart', expects: expectQuickstart },
  { document: 'docs/quickstart.md', name: 'quickstart.py', group: 'quickstart', expects: expectQuickstart },
  { document: 'docs/licenses.md', name: 'renew_licenses.py', group: 'students', expects: expectRenewal },
  {
    document: 'clients/typescript/README.md',
    name: 'first.ts',
    group: 'students',
    expects: (output) => expect(output).toMatch(/^created student\d+\.\S+@\S+\n(Ada King pending\n)+404 not_found\n$/),
  },
  { document: 'docs/exams.md', name: 'coding-exam.ts', group: 'others', expects: (output) => expect(output).toMatch(/^exm_\w{26} published svccode true\n$/) },
  { document: 'docs/exams.md', name: 'coding_exam.py', group: 'others', expects: (output) => expect(output).toMatch(/^exm_\w{26} published svccode True\n$/) },
  {
    document: 'docs/merits.md',
    name: 'platform.sh',
    group: 'others',
    expects: (output) => expect(answersIn(output).map(({ data }) => data)).toMatchObject([{ allowance_cents: 500_000 }, { status: 'pending' }, { reason: 'Agreed for this term' }]),
  },
  { document: 'docs/first-sign-in.md', name: 'sign-in-slips.ts', group: 'students', expects: expectSlips },
  { document: 'docs/first-sign-in.md', name: 'sign_in_slips.py', group: 'students', expects: expectSlips },
  { document: 'docs/licenses.md', name: 'renew-licenses.ts', group: 'students', expects: expectRenewal },
  {
    document: 'docs/rotating-secrets.md',
    name: 'rotate-secret.sh',
    group: 'others',
    expects: (output) => expect(answersIn(output).map(({ data }) => data)).toMatchObject([
      { status: 'active' }, { secret: expect.stringMatching(/^whsec_/) }, { delivered: true }, { deleted: true },
    ]),
  },
  {
    document: 'docs/recovering.md',
    name: 'recover.sh',
    group: 'others',
    expects: (output) => {
      const data = answersIn(output).map((answer) => answer.data);
      expect(data.slice(0, 5)).toMatchObject([{ status: 'active' }, { status: 'active' }, { delivered: true }, { matched: 0 }, { matched: expect.any(Number) }]);
      expect(data.at(4)).toHaveProperty('matched', data.at(-4)?.total);
      expect(data.slice(-4)).toMatchObject([{ items: expect.any(Array) }, { items: [] }, { items: [] }, { deleted: true }]);
    },
  },
  {
    document: 'docs/alpha.md',
    name: 'curriculum.sh',
    group: 'others',
    expects: (output) => expect(answersIn(output).at(-1)?.data).toMatchObject({ title: 'Fractions', shared: false, status: 'published', concept_count: 2 }),
  },
];

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

/** Until when licenses are renewed: later than those that are made here; that of an admin lasts ten years. */
const renewUntil = new Date(Date.now() + 4_400 * 86_400_000).toISOString();

/** The scopes that the quickstart says its programs need. */
const saidScopes = [...(/with the scopes (.*?)\. /.exec(readDocument('docs/quickstart.md'))?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, scope = '']) => scope);

const nameOf = ({ document, name }: Script): string => `${document} ${name}`;

/** How each script has ended so far, by its name. */
const ended = new Map<string, ScriptResult[]>(scripts.map((script) => [nameOf(script), []]));

let api: TestApi;
let worker: RunningWorker;
let receiver: Receiver;
let client: ClientProject;
let pythonClient: PythonProject;
let institution: TestInstitution;
let reader: ScriptRunner;
let refused: ScriptRunner;
let ofRefused: ScriptResult[];
let rejections: number;
let typeErrors: string;

/** Runs scripts in this order, those of different groups concurrently. */
async function runInGroups(order: readonly Described[]): Promise<void> {
  const groups = new Set(order.map(({ group }) => group));
  await Promise.all([...groups].map(async (one) => {
    for (const script of order.filter(({ group }) => group === one)) ended.get(nameOf(script))?.push(await reader.run(script));
  }));
}

/** Every script, and then again in the other order: each goes after itself and after every other. */
async function runAll(): Promise<void> {
  const [first, ...others] = scripts.filter(({ group }) => group === 'quickstart');
  // It creates the student of its group, which those who count students are not to see.
  await runInGroups(first === undefined ? [] : [first]);
  await runInGroups([...others, ...scripts.filter(({ group }) => group !== 'quickstart')]);
  await runInGroups(scripts.toReversed());
}

/** What the compiler says of the TypeScript of the documents, and of misuses. */
async function checkTypes(installed: ClientProject): Promise<string> {
  const programs = writePrograms('clients/typescript/README.md', []);
  try {
    installed.linkInto(programs.folder);
    for (const name of ['express', 'koa', 'fastify', 'pg', 'ioredis', '@types']) symlinkSync(join(__dirname, '../../node_modules', name), join(programs.folder, 'node_modules', name));
    const ofClient = ['first.ts', 'hooks.ts', 'express.ts', 'koa.ts', 'fastify.ts', 'route.ts', 'postgresStore.ts', 'redisStore.ts'].map((name): [string, string] => [name, codeBlock('clients/typescript/README.md', name)]);
    const sources: Record<string, string> = { ...Object.fromEntries(ofClient), 'receiver.ts': codeBlock('docs/webhooks.md', 'receiver.ts'), 'quickstart.ts': codeBlock('docs/quickstart.md', 'quickstart.ts'), 'sandbox-exam.ts': codeBlock('docs/exams.md', 'sandbox-exam.ts'), 'reset-sandbox.ts': codeBlock('docs/sandbox.md', 'reset-sandbox.ts'), 'renew-licenses.ts': codeBlock('docs/licenses.md', 'renew-licenses.ts'), 'sign-in-slips.ts': codeBlock('docs/first-sign-in.md', 'sign-in-slips.ts'), 'wrong.ts': misuses };
    for (const [name, source] of Object.entries(sources)) programs.write(name, source);
    return await typeErrorsIn(programs.folder, Object.keys(sources));
  } finally {
    programs.remove();
  }
}

async function countRejections(): Promise<number> {
  const metrics = await readMetrics(api.api.platformPort);
  return [...metrics].filter(([sample]) => /_count\{.*status="40[13]"/.test(sample)).reduce((sum, [, count]) => sum + count, 0);
}

beforeAll(async () => {
  requirePython();
  const installing = installClient();
  const installingPython = installPythonClient();
  const ownPort = await freePort();
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [`localhost:${ownPort}`, receiver.host] });
  institution = await api.institution();
  // What the quickstart asks for is enough for every script but those that request coupons and renew licenses.
  const apiKey = await api.keyFor(institution, [...saidScopes, 'coupons:write', 'licenses:write']);
  const connection = { base_url: api.baseUrl, api_key: apiKey, platform_url: api.platformUrl, platform_token: api.settings.platformToken, institution_id: institution.id };
  // The README listens itself; the quickstart finds a receiver that listens.
  const given = { environment: { OWNER: institution.adminLoginEmail, RECEIVER_PORT: String(ownPort), RENEW_UNTIL: renewUntil }, replaced: [['WEBHOOK_URL=http://localhost:4010', `WEBHOOK_URL=http://${receiver.host}`]] as const, client: installing, pythonClient: installingPython };
  reader = createScriptRunner({ ...given, connection });
  refused = createScriptRunner({ ...given, connection: { ...connection, api_key: await api.keyFor(institution, ['institution:read']), platform_token: 'x'.repeat(40) } });
  const before = await countRejections();
  [client, pythonClient, worker, typeErrors, ofRefused] = await Promise.all([
    installing,
    installingPython,
    startTestWorker(api.settings),
    installing.then(checkTypes),
    Promise.all(scripts.map((script) => refused.run(script))),
    runAll(),
  ]);
  rejections = (await countRejections()) - before;
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  await receiver.close();
  for (const one of [reader, refused, client, pythonClient]) one.remove();
});

it('every program of every document is run here, or named with where it is', () => {
  const programs = documents.flatMap(codeBlocks).filter(({ language }) => ['bash', 'sh', 'shell', 'ts', 'typescript', 'js', 'javascript', 'python', 'py', 'php', 'ruby', 'java', 'csharp', 'go'].includes(language));
  expect([...new Set(programs.map(nameOf))].sort()).toEqual([...scripts.map(nameOf), ...Object.keys(programsElsewhere)].sort());
});

it('the TypeScript of the documents agrees with the types of the client', () => {
  expect(typeErrors).toBe('');
});

it('a block without a language is no script of calls that could be pasted as it stands', () => {
  const pasted = documents.flatMap(codeBlocks).filter(({ language, code }) => language === '' && /^\s*(curl|node|python3) (?!.*(…|venv))/m.test(code));
  expect(pasted.map(({ document, code }) => [document, code])).toEqual([]);
});

// All on one institution: each finds what it and the others have left.
it.each(scripts)('$document $name goes as it is written, twice, the second time after every other', ({ expects, ...script }) => {
  const runs = ended.get(nameOf(script)) ?? [];
  expect(runs.map(({ code, errorOutput }) => [code, errorOutput])).toEqual([[0, ''], [0, '']]);
  for (const { output } of runs) {
    expect(answersIn(output).filter(({ success }) => !success)).toEqual([]);
    expects(output);
  }
});

it('the scripts leave no endpoint behind, and look before they create a student', async () => {
  const endpoints = await api.call('GET', '/webhooks/endpoints', { key: institution.apiKey });
  const students = await api.call('GET', '/students', { key: institution.apiKey, query: { student_id: 'SIS-1042' } });
  expect([endpoints.data.total, students.data.total]).toEqual([0, 1]);
});

it.each(scripts.map((script, nth) => ({ ...script, nth })))('$document $name ends with the first call that is refused', ({ nth }) => {
  const { code, output, errorOutput } = ofRefused[nth] ?? { code: 0, output: '', errorOutput: '' };
  expect(code).not.toBe(0);
  expect(output + errorOutput).toMatch(/insufficient_scope|unauthorized/);
});

it.each(['quickstart.sh', 'quickstart.ts', 'quickstart.py'].flatMap((name) => [['API_KEY', 'Set API_KEY'], ['BASE_URL', 'Set BASE_URL, which ends with /v1'], ['WEBHOOK_URL', 'Set WEBHOOK_URL']].map(([without = '', said]) => ({ name, without, said }))))(
  'docs/quickstart.md $name names a variable that is missing, and calls nothing: $without',
  async ({ name, without, said }) => {
    const ran = await reader.run({ document: 'docs/quickstart.md', name }, { without });
    expect(ran).toEqual({ code: 1, output: '', errorOutput: `${said}\n` });
  },
);

it('no script goes on after a refused call', () => {
  expect(rejections).toBe(scripts.length);
});

it.each(['renew_licenses.py', 'renew-licenses.ts'])('docs/licenses.md %s renews the licenses that end before', (name) => {
  // Students are created before its first run, and after that of the other.
  expect(ended.get(`docs/licenses.md ${name}`)?.[0]?.output).toMatch(/^renewed [1-9]/);
});

it('docs/licenses.md extends the license of who is there, and of nobody who is suspended', async () => {
  const { data: admin } = await api.call('GET', `/faculty/${institution.adminId}`, { key: institution.apiKey });
  const { data: suspended } = await api.call('GET', '/students', { key: institution.apiKey, query: { status: 'suspended' } });
  expect(admin.license.expires_at).toBe(renewUntil);
  expect(suspended.items.map(({ license }: { license: { expires_at: string } }) => license.expires_at === renewUntil)).toContain(false);
  expect(suspended.items.map(({ license }: { license: { expires_at: string } }) => license.expires_at === renewUntil)).not.toContain(true);
});

it('what the platform does in docs/merits.md and docs/alpha.md lets a student be credited and enrolled', async () => {
  const { data: student } = await api.call('POST', '/students', { key: institution.apiKey, body: {} });
  const credited = await api.call('POST', '/merits/credits', { key: institution.apiKey, body: { email: student.login_email, amount_cents: 500, ref: 'prize-1' } });
  expect(credited.data).toMatchObject({ applied: true, allowance_cents: 499_500 });
  const { data: curricula } = await api.call('GET', '/alpha/curricula', { key: institution.apiKey });
  const enrolled = await api.call('POST', '/alpha/enrollments', { key: institution.apiKey, body: { curriculum_id: curricula.items[0].id, student_ids: [student.id] } });
  expect(enrolled.data).toMatchObject({ enrolled: 1, skipped: 0 });
});
