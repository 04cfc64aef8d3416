import { randomBytes } from 'node:crypto';
import { openDatabase, type Database } from '../../db/database';
import type { Settings } from '../../config/settings';
import { eventually } from '../support/eventually';
import { codeIn } from '../support/signInCodes';
import { openPrograms, type Program, type Programs } from '../support/programs';
import { failFirstAttempts, startReceiver, type Receiver } from '../support/receiver';
import { keyTexts } from '../support/serviceKeys';
import { stack, type TestStack } from '../support/stack';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';

const personal = (nth: number): string => `planted.reader${nth}@mail.example`;
const secretName = 'Plantagenet Secretive';

let testStack: TestStack;
let settings: Settings;
let programs: Programs;
let api: Program;
let worker: Program;
let receiver: Receiver;
let database: Database;
/** What must be found nowhere, by what it is. */
const secrets: Record<string, string> = {};
let institutionId: string;
let adminId: string;

interface Sent {
  token?: string;
  /** The portal user for whom the platform calls. */
  actor?: string;
  body?: unknown;
}

async function send(method: string, url: string, { token, actor, body }: Sent = {}) {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...(actor === undefined ? {} : { 'x-actor': actor }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test names the fields it expects
  const answer: any = await response.json();
  return { status: response.status, data: answer.data };
}

const platform = (path: string, body: object, token?: string) =>
  send('POST', `${api.internalUrl}/platform/v1${path}`, { body, ...(token === undefined ? {} : { token }) });
const call = (method: string, path: string, body?: unknown, token = secrets['API key'] ?? '') => send(method, api.baseUrl + path, { token, body });

beforeAll(async () => {
  [testStack, receiver] = await Promise.all([stack(), startReceiver()]);
  settings = testStack.settings({ logLevel: 'trace', webhookTrustedHosts: [receiver.host] });
  programs = openPrograms();
  [api, worker, database] = await Promise.all([programs.api(settings), programs.worker(settings), openDatabase(testStack.ownerDatabaseUrl, 2, () => undefined)]);
});

afterAll(async () => {
  await closeTestTemporal();
  await programs.end();
  await database.close();
  await testStack.stop();
  await receiver.close();
});

/** An institution with a key and an endpoint, made as a portal would. */
async function openInstitution(): Promise<string> {
  const token = settings.platformToken;
  const adminEmail = personal(0);
  const { data: institution } = await platform('/institutions', { name: 'Planted', login_domain: 'planted.example', admin_email: adminEmail, admin_name: secretName }, token);
  institutionId = institution.id;
  adminId = institution.admin.id;
  await platform(`/institutions/${institutionId}/approve`, {}, token);
  const { data: key } = await platform(`/institutions/${institutionId}/keys`, { name: 'k', scopes: ['students:write', 'webhooks:write', 'groups:write', 'exams:write', 'guardians:write'] }, token);
  Object.assign(secrets, { 'platform token': token, 'API key': key.api_key, 'encryption key': keyTexts(settings.keys)[0], 'name of a person': secretName });
  const { data: endpoint } = await call('POST', '/webhooks/endpoints', { url: receiver.url, events: ['student.*'] });
  const { data: rotated } = await call('POST', `/webhooks/endpoints/${endpoint.id}/rotate-secret`, { grace_hours: 1 });
  Object.assign(secrets, { 'webhook secret': endpoint.secret, 'rotated webhook secret': rotated.secret });
  return institution.admin.login_email;
}

/** Signs the admin in; the code comes by mail. */
async function signIn(loginEmail: string): Promise<void> {
  await platform('/sign-in/codes', { login_email: loginEmail });
  const mail = await testStack.mail.waitFor(({ text }) => text?.includes(loginEmail) === true);
  secrets['sign-in code'] = /^ {4}(\d{6})$/m.exec(mail.text ?? '')?.[1] ?? '';
  await platform('/sign-in/sessions', { login_email: loginEmail, code: 'wrong' });
  const { data } = await platform('/sign-in/sessions', { login_email: loginEmail, code: secrets['sign-in code'] });
  secrets.session = data.session;
}

/** Personal emails on every path that takes one, well-formed and not. */
async function createStudents(): Promise<void> {
  const student = (nth: number) => ({ full_name: secretName, personal_email: personal(nth) });
  const { data } = await call('POST', '/students', student(1));
  // Before the email is given up by the PATCH.
  const taken = await call('POST', '/students', student(1));
  const answers = await Promise.all([
    call('PATCH', `/students/${data.id}`, { personal_email: personal(2) }),
    call('POST', '/students', { ...student(3), unknown: personal(3) }),
    call('POST', '/students', `{"personal_email":"${personal(4)}"`),
    call('GET', `/students/${personal(5)}`),
    call('GET', `/students?personal_email=${personal(6)}`),
    call('GET', '/students', undefined, `${secrets['API key']}x`),
    call('POST', '/students/bulk', { students: [student(7), student(8), student(8), { personal_email: `${personal(9)} oops` }] }),
  ]);
  expect([taken, ...answers].map(({ status }) => status)).toEqual([409, 200, 422, 422, 404, 422, 401, 200]);
}

/** A guardian of a student, who is invited by mail, accepts and signs in, rightly and not; answers the link's id. */
async function inviteGuardian(studentId: string, email: string): Promise<string> {
  const guardian = { student_id: studentId, guardian_email: email, guardian_type: 'mother', guardian_name: secretName };
  const { data: link } = await call('POST', '/guardians', guardian);
  const mail = await testStack.mail.waitFor(({ messageId }) => messageId?.startsWith(`<${link.id}.1.`) === true);
  const token = /token=([\w.-]+)/.exec(mail.text ?? '')?.[1] ?? '';
  secrets['invitation token'] = token.slice(-43);
  const answers = [
    await call('POST', '/guardians', guardian),
    await call('POST', '/guardians', { ...guardian, guardian_type: email }),
    await call('POST', '/guardians', `{"guardian_email":"${email}"`),
    await call('GET', `/guardians?guardian_email=${email}`),
    await platform('/guardian-invitations/accept', { token: `${token}x` }),
    await platform('/guardian-invitations/accept', { token }),
    await platform('/guardian-invitations/accept', { token }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([409, 422, 422, 422, 404, 200, 409]);
  await platform('/sign-in/codes', { login_email: email });
  const mailed = await testStack.mail.waitFor((sentEmail) => sentEmail.text?.includes(`as ${email}`) === true && codeIn(sentEmail) !== '');
  secrets["guardian's code"] = codeIn(mailed);
  const { data } = await platform('/sign-in/sessions', { login_email: email, code: secrets["guardian's code"] });
  secrets["guardian's session"] = data.session;
  expect((await send('GET', `${api.internalUrl}/platform/v1/guardian/students`, { token: data.session })).data.items).toMatchObject([{ id: studentId }]);
  return link.id;
}

/** A developer, who is invited by mail by the institution's admin, accepts and signs in, rightly and not; returns their id. */
async function inviteDeveloper(email: string): Promise<string> {
  const invite = (body: unknown) => send('POST', `${api.internalUrl}/platform/v1/institutions/${institutionId}/developers`, { token: settings.platformToken, actor: adminId, body });
  const { data: developer } = await invite({ email, name: secretName });
  const mail = await testStack.mail.waitFor(({ messageId }) => messageId?.startsWith(`<${developer.id}.1.`) === true);
  const token = /token=([\w.-]+)/.exec(mail.text ?? '')?.[1] ?? '';
  secrets["developer's invitation token"] = token.slice(-43);
  const answers = [
    await invite({ email, name: secretName }),
    await invite({ email, name: email, unknown: email }),
    await invite(`{"email":"${email}"`),
    await platform('/invitations/accept', { token: `${token}x` }),
    await platform('/invitations/accept', { token }),
    await platform('/invitations/accept', { token }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([409, 422, 422, 404, 200, 409]);
  await platform('/sign-in/codes', { login_email: email });
  const mailed = await testStack.mail.waitFor((sentEmail) => sentEmail.text?.includes(`as ${email}`) === true && codeIn(sentEmail) !== '');
  secrets["developer's code"] = codeIn(mailed);
  expect((await platform('/sign-in/sessions', { login_email: email, code: 'wrong' })).status).toBe(401);
  const { data } = await platform('/sign-in/sessions', { login_email: email, code: secrets["developer's code"] });
  secrets["developer's session"] = data.session;
  const { data: key } = await platform(`/institutions/${institutionId}/keys`, { name: 'sync', scopes: ['students:read'] }, data.session);
  secrets["developer's API key"] = key.api_key;
  expect((await call('GET', '/students', undefined, key.api_key)).status).toBe(200);
  return developer.id;
}

/** An exam that a student and a guardian are notified of by email; its hidden-test key on every path that takes it, well-formed and not. Returns its id, the link's and the student's. */
async function publishExam(adminLogin: string): Promise<{ examId: string; linkId: string; studentId: string }> {
  const { data: student } = await call('POST', '/students', { full_name: secretName, personal_email: personal(11) });
  const linkId = await inviteGuardian(student.id, personal(12));
  const { data: group } = await call('POST', '/groups', { name: 'Class', student_ids: [student.id] });
  const { data: exam } = await call('POST', '/exams', { faculty_id: adminLogin, title: 'Sum', group_ids: [group.id] });
  const key = randomBytes(32).toString('base64');
  secrets['hidden-test key'] = key;
  const path = `/exams/${exam.id}/code-secret`;
  const answers = [
    await call('PUT', path, { hidden_key_b64: key }),
    await call('PUT', path, { hidden_key_b64: `${key} ` }),
    await call('PUT', path, { hidden_key_b64: key, [key]: key }),
    await call('PUT', path, `{"hidden_key_b64":"${key}"`),
    await call('PUT', `/exams/exm_unknown/code-secret`, { hidden_key_b64: key }),
    await call('PATCH', `/exams/${exam.id}`, { code_spec: { hidden_tests: { kind: 'zip-encrypted', iv_b64: key, key } } }),
    await call('POST', `${path}/release`),
    await call('GET', `${path}/status`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 422, 422, 422, 404, 422, 200, 200]);
  for (const nth of [11, 12]) await testStack.mail.waitFor(({ to, messageId }) => messageId?.startsWith(`<${exam.id}.`) === true && to?.some(({ address }) => address === personal(nth)) === true);
  return { examId: exam.id, linkId, studentId: student.id };
}

/** Renames tables while something is done without them. */
async function without(tables: readonly string[], work: () => Promise<void>): Promise<void> {
  for (const table of tables) await database.sql(`ALTER TABLE ${table} RENAME TO ${table}_away`);
  try {
    await work();
  } finally {
    for (const table of tables) await database.sql(`ALTER TABLE ${table}_away RENAME TO ${table}`);
  }
}

/** Calls and attempts that fail because a table is gone: errors of the driver carry the statement and its values. */
async function failWithoutTables(examId: string, studentId: string): Promise<void> {
  await without(['webhook_attempts'], async () => {
    // An event whose attempt cannot be written, whether others still wait for theirs or not.
    expect((await call('PATCH', `/students/${studentId}`, { full_name: `${secretName} 2` })).status).toBe(200);
    await eventually('an attempt that could not be written', () => /attempts could not be written|Activity failed/.test(worker.output()));
  });
  await without(['institution_emails', 'exams'], async () => {
    const { status } = await call('POST', '/students', { full_name: secretName, personal_email: personal(10) });
    await call('GET', '/students');
    const setting = await call('PUT', `/exams/${examId}/code-secret`, { hidden_key_b64: secrets['hidden-test key'] });
    expect([status, setting.status]).toEqual([500, 500]);
  });
}

/** Every text and every decoded payload of a history. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

async function historiesOf(ids: readonly string[]): Promise<Map<string, string>> {
  const { client } = openTestTemporal(settings);
  const histories = await Promise.all(ids.map(async (id) => [id, textsOf(await client.workflow.getHandle(id).fetchHistory()).join('\n')] as const));
  return new Map(histories);
}

/** The secret values that a text contains. */
const found = (text: string): string[] => [
  ...Object.entries(secrets).flatMap(([what, value]) => (text.includes(value) ? [what] : [])),
  ...(/planted\.reader\d/i.test(text) ? ['personal email'] : []),
];

// Contract: exams.code-secret.never-logged
it('no key, secret, code, session, name or personal email reaches a log line or a history', async () => {
  receiver.respond = failFirstAttempts();
  await eventually('the worker at Temporal', async () => (await (await fetch(`${worker.internalUrl}/readyz`)).text()).includes('"ready"'));
  const adminLogin = await openInstitution();
  await signIn(adminLogin);
  await createStudents();
  const { examId, linkId, studentId } = await publishExam(adminLogin);
  const developerId = await inviteDeveloper(personal(13));
  const retried = await eventually('deliveries that were or are retried', async () => {
    const rows = await database.sql<{ id: string }>("SELECT id FROM deliveries WHERE status = 'retrying' OR attempts > 1");
    return rows.length > 0 && rows.map(({ id }) => id);
  });
  await failWithoutTables(examId, studentId);
  await eventually('every delivery delivered', async () => (await database.sql("SELECT 1 FROM deliveries WHERE status <> 'delivered'")).length === 0);
  const batches = await database.sql<{ id: string }>('SELECT id FROM provisioning_batches');
  const histories = await historiesOf([...retried, ...batches.map(({ id }) => id), `${examId}:1`, `${linkId}:1`, `${developerId}:1`]);
  for (const [id, text] of histories) expect([id, found(text)]).toEqual([id, []]);
  expect([...histories.values()].join('\n')).toContain(institutionId);

  const [apiExit, workerExit] = await Promise.all([api.stop(), worker.stop()]);
  expect([apiExit.code, workerExit.code]).toEqual([0, 0]);
  for (const output of [api.output(), worker.output()]) {
    expect(found(output)).toEqual([]);
    expect(output.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([]);
  }
  expect(api.output()).toContain('request failed');
  expect(Object.values(secrets).every((value) => value.length >= 6)).toBe(true);
});
