import { newId } from '../../../domain/ids';
import type { ApiResponse } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { deviceNamed } from '../../support/devices';
import { newGuardianEmail } from '../../support/guardians';
import { seedCoupons } from '../../support/seed/coupons';
import { openSandboxOf, type TestSandbox } from '../../support/sandboxes';

const { api, institution, sql } = apiFixture();

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandboxOf(api, institution);
});

const post = (path: string, body?: object): Promise<ApiResponse> => sandbox.call('POST', path, body);
/** The same with an idempotency key. */
const postOnce = (path: string, body?: object): Promise<ApiResponse> => api.call('POST', path, { key: sandbox.key, body, headers: { 'idempotency-key': 'k' } });
const get = async (path: string) => (await sandbox.call('GET', path)).data;
const outcome = ({ status, body }: ApiResponse) => [status, body.error ?? null];
const newStudent = async (body: object = { personal_email: 'ada@mail.example' }) => (await post('/students', body)).data;
const signIn = (id: string, body: object = {}) => post(`/sandbox/students/${id}/sign-in`, body);
const onDevice = (name: string) => ({ app: 'svcapp', device: deviceNamed(name) });
const typesOf = async (type: string) => (await get(`/events?type=${type}`)).items.length;

/** An exam that a student sees. */
async function examFor(studentId: string): Promise<string> {
  const { data: group } = await post('/groups', { name: 'Class', student_ids: [studentId] });
  return (await post('/exams', { faculty_id: group.faculty_id, title: 'Algebra', time_limit_minutes: 60, group_ids: [group.id] })).data.id;
}

describe('POST /sandbox/students/{id}/sign-in', () => {
  it('answers the person and the seat that GET /licenses/{id}/devices lists, without the session', async () => {
    const student = await newStudent();
    const { data } = await signIn(student.id, onDevice('Ada'));
    const { seats } = await get(`/licenses/${student.license.id}/devices`);
    expect(Object.keys(data).sort()).toEqual(['expires_at', 'seat', 'user']);
    expect(data.user).toMatchObject({ id: student.id, kind: 'student', status: 'active' });
    expect([data.seat]).toEqual(seats);
  });

  it('takes the third seat of an app from the device that signed in longest ago', async () => {
    const student = await newStudent();
    for (const name of ['a', 'b', 'c']) expect(outcome(await signIn(student.login_email, onDevice(name)))).toEqual([200, null]);
    const { seats } = await get(`/licenses/${student.license.id}/devices`);
    expect(seats.map(({ device_id }: { device_id: string }) => device_id)).toEqual(['device-c', 'device-b']);
  });

  it('needs an email that a code could be sent to, mapped or named, and does not replace a mapped one', async () => {
    const { id } = await newStudent({});
    const refused = await signIn(id);
    expect([outcome(refused), refused.body.issues[0].path]).toEqual([[422, 'validation_error'], 'personal_email']);
    expect(outcome(await signIn(id, { personal_email: 'ada@mail.example' }))).toEqual([200, null]);
    expect((await get(`/students/${id}`)).personal_email_mapped).toBe(true);
    expect(outcome(await signIn(id, { personal_email: 'another@mail.example' }))).toEqual([200, null]);
    expect(await typesOf('student.email_mapped')).toBe(1);
  });

  it('refuses a suspended student, and an email of another person', async () => {
    const { id } = await newStudent();
    expect(outcome(await signIn((await newStudent({})).id, { personal_email: 'ada@mail.example' }))).toEqual([409, 'conflict']);
    await post(`/students/${id}/suspend`);
    expect((await signIn(id)).body.error).toBe('user_inactive');
  });

  it('refuses a license that has expired, records that, and takes a repeat of the refused call as a first one', async () => {
    const student = await newStudent();
    await sql("UPDATE licenses SET expires_at = now() - interval '1 day' WHERE id = $1", [student.license.id]);
    expect(outcome(await postOnce(`/sandbox/students/${student.id}/sign-in`, onDevice('Ada')))).toEqual([409, 'conflict']);
    expect(await typesOf('license.expired')).toBe(1);
    await post(`/licenses/${student.license.id}/extend`, { days: 30 });
    const again = await postOnce(`/sandbox/students/${student.id}/sign-in`, onDevice('Ada'));
    expect([outcome(again), again.headers.get('idempotent-replayed')]).toEqual([[200, null], null]);
  });
});

describe('what a student does in an app', () => {
  it('is an attempt at an exam that they see alone: the error says why they do not, and what to do', async () => {
    const { id } = await newStudent();
    await signIn(id);
    const attempt = async (exam: string) => {
      const { status, body } = await post(`/sandbox/exams/${exam}/attempts`, { student_id: id });
      return [status, body.error, body.message];
    };
    const { id: faculty_id } = (await post('/faculty', { full_name: 'Grace Hopper' })).data;
    const [draft, unassigned] = [(await post('/exams', { faculty_id, title: 'Draft', publish: false })).data.id, (await post('/exams', { faculty_id, title: 'Of nobody' })).data.id];
    expect(await attempt(draft)).toEqual([404, 'not_found', 'The student does not see this exam: it is a draft. Publish it with POST /v1/exams/{id}/publish.']);
    expect(await attempt(unassigned)).toEqual([404, 'not_found', 'The student does not see this exam: assign it to a group of theirs with POST /v1/exams/{id}/assignments.']);
    expect(await attempt(newId('exm'))).toEqual([404, 'not_found', 'No such exam in this institution. Its id begins with exm_. A test key finds what is in its sandbox alone.']);
  });

  it('needs a first sign-in, and the message names it', async () => {
    const { id } = await newStudent();
    const { status, body } = await post(`/sandbox/exams/${await examFor(id)}/attempts`, { student_id: id });
    expect([status, body.error, body.message]).toEqual([409, 'conflict', 'The student has not signed in yet; call POST /v1/sandbox/students/{id}/sign-in first.']);
  });

  it('ends with the suspension of the student', async () => {
    const { id } = await newStudent();
    await signIn(id);
    const examId = await examFor(id);
    const { data: attempt } = await post(`/sandbox/exams/${examId}/attempts`, { student_id: id });
    await post(`/students/${id}/suspend`);
    const answers = [
      await post(`/sandbox/exams/${examId}/attempts`, { student_id: id }),
      await post(`/sandbox/attempts/${attempt.id}/submit`, { text: '42' }),
      await post('/sandbox/coupons/redeem', { student_id: id, code: '7CKR-4MNX-9TWA-3HPF' }),
    ];
    expect(answers.map(({ body }) => body.error)).toEqual(['user_inactive', 'user_inactive', 'user_inactive']);
  });

  it('is resumed while it is in progress, and submitted once', async () => {
    const { id } = await newStudent();
    await signIn(id);
    const examId = await examFor(id);
    const start = () => post(`/sandbox/exams/${examId}/attempts`, { student_id: id });
    const [first, second] = [await start(), await start()];
    expect([second.data.id, first.data.resumed, second.data.resumed]).toEqual([first.data.id, false, true]);
    const submit = () => post(`/sandbox/attempts/${first.data.id}/submit`, { text: '42' });
    expect([outcome(await submit()), outcome(await submit())]).toEqual([[200, null], [409, 'conflict']]);
  });

  it('is over with the time of the attempt: the refused start records that, and its repeat is a first call', async () => {
    const { id } = await newStudent();
    await signIn(id);
    const examId = await examFor(id);
    const { data: attempt } = await post(`/sandbox/exams/${examId}/attempts`, { student_id: id });
    await sandbox.advance(3_600);
    const refused = await postOnce(`/sandbox/exams/${examId}/attempts`, { student_id: id });
    expect([outcome(refused), refused.body.message]).toEqual([[409, 'conflict'], expect.stringMatching(/^The time of the attempt is over\. /)]);
    expect(await sql('SELECT status FROM attempts WHERE id = $1', [attempt.id])).toEqual([{ status: 'abandoned' }]);
    const again = await postOnce(`/sandbox/exams/${examId}/attempts`, { student_id: id });
    expect([outcome(again), again.headers.get('idempotent-replayed')]).toEqual([[409, 'conflict'], null]);
  });
});

it('a coupon that a student redeems again is refused in words that are true for the program that calls', async () => {
  const { id } = await newStudent();
  await signIn(id);
  const { codes: [code] } = await seedCoupons(api, { ...institution, id: sandbox.id });
  const redeem = () => post('/sandbox/coupons/redeem', { student_id: id, code });
  expect(outcome(await redeem())).toEqual([200, null]);
  const again = await redeem();
  expect([outcome(again), again.body.message]).toEqual([[409, 'conflict'], 'The student has already redeemed this coupon.']);
});

describe('a guardian', () => {
  const invite = async () => (await post('/guardians', { student_id: (await newStudent({})).id, guardian_email: newGuardianEmail(), guardian_type: 'mother' })).data;
  const accept = (id: string) => post(`/sandbox/guardians/${id}/accept`);
  const signInGuardian = (id: string) => post(`/sandbox/guardians/${id}/sign-in`);

  it('is accepted after accepting, once, and verified after the first sign-in, which may be repeated', async () => {
    const { id } = await invite();
    expect(outcome(await signInGuardian(id))).toEqual([409, 'conflict']);
    expect((await accept(id)).data).toMatchObject({ id, status: 'accepted', verified: false });
    expect(outcome(await accept(id))).toEqual([409, 'conflict']);
    expect((await signInGuardian(id)).data).toMatchObject({ id, status: 'verified', verified: true });
    expect((await signInGuardian(id)).data).toMatchObject({ id, verified: true });
    expect(await typesOf('guardian.verified')).toBe(1);
  });

  it('accepts no expired invitation, and signs in with no acceptance that has expired', async () => {
    const [late, accepted] = [await invite(), await invite()];
    await accept(accepted.id);
    await sandbox.advance(14 * 86_400);
    const answers = [await accept(late.id), await signInGuardian(accepted.id)];
    expect(answers.map(outcome)).toEqual([[409, 'conflict'], [409, 'conflict']]);
  });
});

describe('a license', () => {
  const expire = (id: string) => post(`/sandbox/licenses/${id}/expire`);

  it('expires at this moment, once, and is extended as any other', async () => {
    const { license } = await newStudent({});
    const { data } = await expire(license.id);
    expect([data.status, new Date(data.expires_at) <= (await sandbox.now())]).toEqual(['expired', true]);
    expect((await expire(license.id)).data).toEqual(data);
    expect(await typesOf('license.expired')).toBe(1);
    expect((await post(`/licenses/${license.id}/extend`, { days: 1 })).data.status).toBe('active');
  });

  it('does not expire if it is revoked or for a lifetime', async () => {
    const [revoked, lifetime] = [(await newStudent({})).license.id, (await newStudent({})).license.id];
    await post(`/licenses/${revoked}/revoke`);
    await sql('UPDATE licenses SET expires_at = NULL, is_lifetime = true WHERE id = $1', [lifetime]);
    expect([await expire(revoked), await expire(lifetime)].map(outcome)).toEqual([[409, 'conflict'], [409, 'conflict']]);
  });
});
