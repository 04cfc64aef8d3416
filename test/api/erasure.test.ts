import type { Transaction } from '../../domain/context';
import { eraseStoreChunk } from '../../domain/erasure/eraseStore';
import { newId } from '../../domain/ids';
import { confirmMailboxChange, requestMailboxChange } from '../../domain/signIn/changeMailbox';
import { requestCode as requestCodeOf } from '../../domain/signIn/codeEmails';
import { completeProfile } from '../../domain/signIn/completeProfile';
import { transact } from '../../domain/transact';
import { realActors } from '../support/actors';
import { systemCaller } from '../support/api';
import { newStudent } from '../support/devices';
import { appFixture } from '../support/appFixture';
import { eventually } from '../support/eventually';
import { eventsDuring } from '../support/events';
import { createResource } from '../support/resourceFactories';
import { submissionCalls } from '../support/submissionCalls';
import { multipart, multipartType, storedFiles } from '../support/uploads';

const fixture = appFixture();
const { api, institution, sql, call } = fixture;

const erase = (path: string, headers: Record<string, string> = {}) => api.call('POST', `${path}/erase`, { key: institution.apiKey, headers });
const created = async (path: string, body: object) => (await call('POST', path, body)).data;

it('the erasure of a student is begun once: a second call returns it as it is', async () => {
  const { id } = await created('/students', { full_name: 'Ada' });
  const first = await erase(`/students/${id}`);
  expect([first.status, first.data]).toEqual([200, {
    person: { id, kind: 'student' },
    status: 'running',
    workflow_id: `erase_${id}:1`,
    requested_at: first.data.requested_at,
    completed_at: null,
    progress: { done: 2, total: 18 },
    removed: [{ store: 'profile', count: 1, at: first.data.requested_at }, { store: 'guardian_links', count: 0, at: first.data.requested_at }],
    certificate: null,
  }]);
  expect((await erase(`/students/${id}`)).data).toEqual(first.data);
  expect((await call('GET', `/students/${id}/erasure`)).data).toEqual(first.data);
  expect(await sql("SELECT workflow_id, argument FROM owed_workflows WHERE name = 'personErasure' AND institution_id = $1", [institution.id])).toEqual([
    { workflow_id: `erase_${id}:1`, argument: { personId: id, institutionId: institution.id, number: 1 } },
  ]);
});

it('concurrent calls begin one erasure', async () => {
  const { id } = await created('/students', { full_name: 'Ada' });
  const answers = await Promise.all([1, 2, 3].map(() => erase(`/students/${id}`)));
  expect(answers.map(({ status, data }) => [status, data.workflow_id])).toEqual(answers.map(() => [200, `erase_${id}:1`]));
  expect(await sql('SELECT number FROM erasures WHERE person_id = $1', [id])).toEqual([{ number: 1 }]);
});

it('an erased student is suspended and signed out at once, has neither name nor personal email, and their license is revoked', async () => {
  const student = await newStudent(api, institution);
  const { data: signedIn } = await realActors(api, institution).signIn(student);
  const read = () => api.platform('GET', '/app/exams', { key: signedIn.session });
  expect((await read()).status).toBe(200);
  const events = await eventsDuring(api, institution, () => erase(`/students/${student.id}`));
  expect(events.map(({ type, data }) => [type, data])).toEqual([['student.updated', { student_id: student.id, changed: ['full_name', 'login_email', 'status'], status: 'suspended' }]]);
  expect((await read()).status).toBe(401);
  const { data } = await call('GET', `/students/${student.id}`);
  expect(data).toMatchObject({ full_name: 'Erased student', status: 'suspended', personal_email_mapped: false, license: { status: 'revoked' } });
  expect(data.erased_at).not.toBeNull();
});

it('the personal email and the student_id of an erased student can be used again', async () => {
  await call('PUT', '/institution/config', { unique_student_ids: true });
  const body = { student_id: 'SIS-1', personal_email: `${newId('req')}@mail.example` };
  const { id } = await created('/students', body);
  expect((await call('POST', '/students', body)).status).toBe(409);
  await erase(`/students/${id}`);
  expect((await call('POST', '/students', body)).status).toBe(200);
});

it('an erased student or faculty member is neither changed nor reactivated', async () => {
  const { id } = await created('/students', {});
  const { id: member } = await created('/faculty', { full_name: 'Grace' });
  await erase(`/students/${id}`);
  await erase(`/faculty/${member}`);
  const answers = [await call('PATCH', `/students/${id}`, { full_name: 'Ada' }), await call('POST', `/students/${id}/reactivate`), await call('PATCH', `/faculty/${member}`, { status: 'active' })];
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual(answers.map(() => [409, 'conflict']));
  expect((await call('POST', `/students/${id}/suspend`)).status).toBe(200);
});

it('an erased person gets no enrolment code, no mailbox and no profile, though they called before the erasure', async () => {
  const { id } = await created('/students', {});
  const { id: member } = await created('/faculty', { full_name: 'Grace' });
  await erase(`/students/${id}`);
  await erase(`/faculty/${member}`);
  expect((await call('POST', `/students/${id}/enrolment-code`)).body.error).toBe('conflict');
  const inTransaction = (work: (tx: Transaction) => Promise<unknown>) => transact(api.api.domain, systemCaller(institution.id), work);
  const email = `${newId('req')}@mail.example`;
  const profile = { employee_id: 'E-1', department: 'Mathematics', position: 'Lecturer', email };
  await expect(inTransaction((tx) => requestMailboxChange(tx, id, email))).rejects.toMatchObject({ code: 'not_found' });
  await expect(inTransaction((tx) => confirmMailboxChange(tx, id, null, '000000'))).rejects.toMatchObject({ code: 'not_found' });
  await expect(inTransaction((tx) => completeProfile(tx, member, profile))).rejects.toMatchObject({ code: 'not_found' });
});

it.each(['erase', 'suspend'])('an upload that is on its way as its student loses the session is not stored: %s', async (loss) => {
  const { who, attemptId } = await fixture.studentWithAttempt();
  const body = multipart({ name: 'kind', bytes: 'recording' }, { name: 'file', filename: 'segment.webm', type: 'video/webm', bytes: 'x'.repeat(100_000) });
  let finish = (): void => undefined;
  const lost = new Promise<void>((resolve) => { finish = resolve; });
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield body.subarray(0, 80_000);
    await lost;
    yield body.subarray(80_000);
  }
  const before = storedFiles(api.settings);
  const headers = { authorization: `Bearer ${who.session}`, 'content-type': multipartType };
  const answer = fetch(`${api.platformUrl}/app/attempts/${attemptId}/files`, { method: 'POST', headers, body: ReadableStream.from(pieces()), duplex: 'half' });
  await eventually('the upload is on its way', () => Promise.resolve(storedFiles(api.settings).spooled.length > before.spooled.length));
  expect((await call('POST', `/students/${who.id}/${loss}`)).status).toBe(200);
  finish();
  const { status } = await answer;
  expect([status, await sql('SELECT 1 FROM files WHERE attempt_id = $1', [attemptId])]).toEqual([401, []]);
  await eventually('nothing is left of it', () => Promise.resolve(JSON.stringify(storedFiles(api.settings)) === JSON.stringify(before)));
});

it('no text is written about an erased student: their submissions are neither graded nor voided', async () => {
  const { newSubmission, grade, voidSubmission } = submissionCalls(fixture);
  const { id, studentId } = await newSubmission();
  expect((await grade(id, { score: 1, feedback: 'Well done' })).status).toBe(200);
  await erase(`/students/${studentId}`);
  const answers = [await grade(id, { score: 2, feedback: 'Ada, well done' }), await grade(id, { score: -1, feedback: 'Ada, once more' }), await voidSubmission(id, { reason: 'Ada copied' })];
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([[409, 'conflict'], [409, 'conflict'], [409, 'void_failed']]);
  expect(await sql('SELECT score::float8 AS score, feedback, void_reason FROM submissions WHERE id = $1', [id])).toEqual([{ score: 1, feedback: 'Well done', void_reason: null }]);
});

it('emails about the mailbox of an erased person that wait are not sent; each takes a place after those of the requests for codes', async () => {
  const [one, other] = [await newStudent(api, institution), await newStudent(api, institution)];
  const waiting = async ({ login_email }: { login_email: string }) => {
    const fingerprints = api.api.domain.secrets.fingerprints('sign_in_request', login_email);
    return (await sql<{ place: number }>('SELECT place FROM sign_in_emails WHERE login_email_hmac = ANY ($1::bytea[]) ORDER BY place', [fingerprints])).map(({ place }) => place);
  };
  for (const { id } of [one, one, other]) expect((await call('PATCH', `/students/${id}`, { personal_email: `${newId('req')}@mail.example` })).status).toBe(200);
  await requestCodeOf(api.api.domain, { login_email: one.login_email }, { requestId: newId('req') });
  expect([await waiting(one), await waiting(other)]).toEqual([[1, 1001, 1002], [1001]]);
  await erase(`/students/${one.id}`);
  await eraseStoreChunk(api.api.domain, { institutionId: institution.id, personId: one.id, number: 1 }, 'sign_in_codes', '', new Date());
  expect([await waiting(one), await waiting(other)]).toEqual([[], [1001]]);
});

it('the institution admin is not erased', async () => {
  const { status, body } = await erase(`/faculty/${institution.adminId}`);
  expect([status, body.error]).toEqual([409, 'conflict']);
});

it('the links of an erased student are removed, and guardians without another link are deleted', async () => {
  const [one, other] = [await created('/students', {}), await created('/students', {})];
  const invite = async (student_id: string, guardian_email: string) => (await created('/guardians', { student_id, guardian_email, guardian_type: 'mother' })).id;
  const [both, alone] = [`${newId('req')}@mail.example`, `${newId('req')}@mail.example`];
  await invite(one.id, both);
  const stays = await invite(other.id, both);
  await invite(one.id, alone);
  const { data } = await erase(`/students/${one.id}`);
  expect(data.removed).toContainEqual({ store: 'guardian_links', count: 2, at: data.requested_at });
  expect((await call('GET', '/guardians')).data.items.map(({ id }: { id: string }) => id)).toEqual([stays]);
  expect(await sql("SELECT count(*)::int AS guardians FROM users WHERE institution_id = $1 AND kind = 'guardian'", [institution.id])).toEqual([{ guardians: 1 }]);
});

it("a guardian's erasure is found by each of their former links, and by no other", async () => {
  const address = `${newId('req')}@mail.example`;
  const links = await Promise.all([1, 2].map(async () => created('/guardians', { student_id: (await created('/students', {})).id, guardian_email: address, guardian_type: 'father' })));
  const other = await createResource.guardian(api, institution);
  const { data } = await erase(`/guardians/${links[0].id}`);
  expect([data.person.kind, data.removed]).toEqual(['guardian', [{ store: 'profile', count: 1, at: data.requested_at }, { store: 'guardian_links', count: 2, at: data.requested_at }]]);
  for (const { id } of links) expect([(await erase(`/guardians/${id}`)).data, (await call('GET', `/guardians/${id}/erasure`)).data]).toEqual([data, data]);
  expect((await call('GET', `/guardians/${other}/erasure`)).status).toBe(404);
});

it('of a student who was erased there is no export, and the error says where the certificate is; before the first one the way to it is named', async () => {
  const { id } = await created('/students', {});
  const missing = await call('GET', `/students/${id}/export`);
  expect([missing.status, missing.body.message]).toEqual([404, 'No such export in this institution. POST …/export begins one.']);
  await erase(`/students/${id}`);
  const { status, body } = await call('POST', `/students/${id}/export`);
  expect([status, body.error, body.message]).toEqual([409, 'conflict', 'The student was erased, which cannot be undone; nothing is left to export, and GET …/erasure has the certificate.']);
});

it('a person who was not erased has no erasure', async () => {
  const { id } = await created('/students', {});
  const { status, body } = await call('GET', `/students/${id}/erasure`);
  expect([status, body.error, body.message]).toEqual([404, 'not_found', 'No such erasure in this institution. POST …/erase begins one.']);
});

it('the audit log names the person by their id, also where the call named them by login email', async () => {
  const student = await created('/students', {});
  await erase(`/students/${student.login_email}`);
  expect(await sql("SELECT target, changed FROM audit_log WHERE institution_id = $1 AND operation = 'eraseStudent'", [institution.id])).toEqual([{ target: { id: student.id }, changed: [] }]);
});
