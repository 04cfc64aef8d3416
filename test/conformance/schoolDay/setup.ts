import { createHmac } from 'node:crypto';
import type { TestApi } from '../../support/api';
import type { Receiver } from '../../support/receiver';
import { Webhook } from 'standardwebhooks';
import { codesOf } from '../../support/signInCodes';
import { createClient } from '../client';
import { encrypt, zipOf } from '../encryptedZip';
import { expectEmail, type SchoolRecord, type StudentRecord } from './schoolRecord';
import { inParallel } from './inParallel';
import { terms, type SchoolPlan } from './plan';

const scopes = ['students:write', 'faculty:write', 'groups:write', 'licenses:read', 'exams:write', 'submissions:write', 'webhooks:write'];

/** An institution as the platform opens it, with a key. */
export async function openSchool(api: TestApi, plan: SchoolPlan, nth: number): Promise<SchoolRecord> {
  const platform = createClient(api.platformUrl, api.settings.platformToken);
  const opened = await platform.callSuccessfully('POST', '/institutions', { name: plan.name, login_domain: `day${nth}.example`, admin_email: `office.${nth}@mail.example`, admin_name: 'Ada Admin' });
  await platform.callSuccessfully('POST', `/institutions/${opened.id}/approve`);
  const { api_key: key } = await platform.callSuccessfully('POST', `/institutions/${opened.id}/keys`, { name: 'SIS', scopes, rate_limit_per_min: 6000 });
  const expectedEvents = [
    { type: 'faculty.created', data: { faculty_id: opened.admin.id, login_email: opened.admin.login_email, status: 'active' } },
    { type: 'license.generated', data: { user_id: opened.admin.id } },
  ];
  return { plan, id: opened.id, apiKey: key, client: createClient(api.baseUrl, key), teachers: [], groups: [], students: [], exams: [], before: [...expectedEvents], expectedEvents, expectedEmails: new Map() };
}

/** Has every event sent to a receiver, which answers 400 to what is not signed as the guide says. */
export async function subscribe({ client }: SchoolRecord, receiver: Receiver): Promise<void> {
  const { secret } = await client.callSuccessfully('POST', '/webhooks/endpoints', { url: receiver.url, events: ['*'] });
  const standard = new Webhook(secret);
  receiver.respond = ({ headers, body }) => {
    const { t = '', v1 } = Object.fromEntries(String(headers['x-svc-signature']).split(',').map((part) => part.split('=', 2)));
    if (v1 !== createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')) return 400;
    try {
      standard.verify(body, { 'webhook-id': String(headers['webhook-id']), 'webhook-timestamp': String(headers['webhook-timestamp']), 'webhook-signature': String(headers['webhook-signature']) });
      return 200;
    } catch {
      return 400;
    }
  };
}

/** Teachers, students in bulk, and their groups. */
export async function createPeople(book: SchoolRecord, app: StudentRecord['app']): Promise<void> {
  const { client, plan, expectedEvents } = book;
  for (let nth = 0; nth < plan.teachers; nth += 1) {
    const teacher = await client.callSuccessfully('POST', '/faculty', { full_name: `Teacher ${nth}`, faculty_id: `T-${nth}` });
    book.teachers.push(teacher);
    expectedEvents.push({ type: 'faculty.created', data: { faculty_id: teacher.id, login_email: teacher.login_email, status: 'active' } }, { type: 'license.generated', data: { user_id: teacher.id } });
  }
  const { created, results } = await client.callSuccessfully('POST', '/students/bulk', {
    students: plan.students.map(({ name, externalId, email, mapped }) => ({ full_name: name, student_id: externalId, ...(mapped ? { personal_email: email } : {}) })),
  });
  expect(created).toBe(plan.students.length);
  for (const [nth, student] of plan.students.entries()) {
    const { id, login_email: loginEmail } = results[nth];
    book.students.push({ plan: student, id, loginEmail, app });
    expectedEvents.push({ type: 'student.created', data: { student_id: id, login_email: loginEmail, status: 'pending' } }, { type: 'license.generated', data: { user_id: id } });
  }
  for (let nth = 0; nth < plan.groups; nth += 1) {
    const members = book.students.filter((student) => student.plan.group === nth);
    const group = await client.callSuccessfully('POST', '/groups', { name: `Class ${nth}`, faculty_id: book.teachers[0]?.login_email, student_ids: members.map(({ loginEmail }) => loginEmail) });
    expect(group.member_count).toBe(members.length);
    book.groups.push(group.id);
  }
}

async function codingSpec({ client }: SchoolRecord, examId: string): Promise<object> {
  const hidden = encrypt(zipOf({ 'run.py': 'assert True\n' }));
  const { data } = await client.upload(`/exams/${examId}/files`, 'hidden.enc', hidden.ciphertext);
  await client.callSuccessfully('PUT', `/exams/${examId}/code-secret`, { hidden_key_b64: hidden.key.toString('base64') });
  return {
    v: 1,
    brief_md: '# Sums',
    toolchain: 'python',
    hidden_tests: { kind: 'zip-encrypted', file: data.file, iv_b64: hidden.iv.toString('base64'), sha256: hidden.sha256 },
    commands: { run: 'python {{workspace}}/sums.py', timeout_ms: 60_000 },
  };
}

/** The two exams, published to both groups; who has an email by now is written to. */
export async function createExams(book: SchoolRecord): Promise<void> {
  const { client, teachers, groups, expectedEvents } = book;
  for (const kind of ['document', 'coding'] as const) {
    const owner = teachers.at(kind === 'document' ? 0 : -1);
    if (owner === undefined) throw new Error('A school has a teacher');
    const { id } = await client.callSuccessfully('POST', '/exams', { faculty_id: owner.login_email, title: `${kind} exam`, ...terms[kind], allow_late_submission: true, publish: false });
    if (kind === 'coding') await client.callSuccessfully('PATCH', `/exams/${id}`, { code_spec: await codingSpec(book, id) });
    await client.callSuccessfully('POST', `/exams/${id}/assignments`, { group_ids: groups });
    const { app, stats } = await client.callSuccessfully('POST', `/exams/${id}/publish`);
    expect(stats.assigned).toBe(book.students.length);
    book.exams.push({ id, kind, ownerId: owner.id, sittings: book.students.map((student) => ({ student, plan: student.plan.sittings[kind], attempts: [], versions: [] })) });
    expectedEvents.push({ type: 'exam.published', data: { exam_id: id, faculty_id: owner.id, app } });
    for (const [nth, group_id] of groups.entries()) {
      expectedEvents.push({ type: 'exam.assigned', data: { exam_id: id, group_id, student_count: book.students.filter(({ plan }) => plan.group === nth).length } });
    }
    for (const { plan } of book.students.filter((student) => student.plan.mapped)) expectEmail(book, plan.email);
  }
}

/** Everybody signs in with a code that comes by mail: the teachers complete their profiles, the students open their apps. */
export async function signInEverybody(api: TestApi, books: readonly SchoolRecord[]): Promise<void> {
  const anybody = createClient(api.platformUrl);
  const people = books.flatMap((book, nth) => [
    ...book.teachers.map((teacher) => ({ book, login_email: teacher.login_email, mailbox: `office.${nth}@mail.example`, named: {} })),
    ...book.students.map(({ loginEmail, plan }) => ({ book, login_email: loginEmail, mailbox: plan.email, named: plan.mapped ? {} : { personal_email: plan.email } })),
  ]);
  await inParallel(people, async ({ book, login_email, mailbox, named }) => {
    await anybody.callSuccessfully('POST', '/sign-in/codes', { login_email, ...named });
    expectEmail(book, mailbox);
  });
  const codes = await codesOf(api, people.map(({ login_email }) => login_email));
  const sessions = new Map<string, string>();
  await inParallel(people, async ({ login_email }) => {
    const { session } = await anybody.callSuccessfully('POST', '/sign-in/sessions', { login_email, code: codes.get(login_email) });
    sessions.set(login_email, session);
  });
  for (const { teachers, students, expectedEvents } of books) {
    for (const [nth, { id, login_email }] of teachers.entries()) {
      const profile = { employee_id: `E-${nth}`, department: 'Maths', position: 'Teacher', email: `teacher.${id}@mail.example` };
      await createClient(api.platformUrl, sessions.get(login_email)).callSuccessfully('POST', '/me/profile', profile);
      expectedEvents.push({ type: 'faculty.profile_completed', data: { faculty_id: id } });
    }
    for (const student of students) {
      student.app = createClient(api.platformUrl, sessions.get(student.loginEmail));
      expectedEvents.push({ type: 'student.updated', data: { student_id: student.id, changed: ['status'], status: 'active' } });
      if (!student.plan.mapped) expectedEvents.push({ type: 'student.email_mapped', data: { student_id: student.id } });
    }
  }
}
