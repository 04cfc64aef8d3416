import { randomBytes } from 'node:crypto';
import { SessionEntity } from '../../../db/entities/session';
import { newId } from '../../../domain/ids';
import { errorSummary } from '../../support/responses';
import { eventsDuring } from '../../support/events';
import { apiFixture } from '../../support/apiFixture';
import { recordedStudentCalls } from '../../support/studentCalls';

const fixture = apiFixture();
const { api, institution } = fixture;
const { call, leaks, calls, newSecretEmail } = recordedStudentCalls(fixture);

afterEach(async () => {
  expect(await leaks()).toEqual([]);
});

const eventsOfWork = (work: () => Promise<unknown>) => eventsDuring(api, institution, work);
const newStudent = async (body: object = {}) => (await calls.create(body)).data;
const updated = (id: string, changed: string[], status: string) => ({ type: 'student.updated', data: { student_id: id, changed, status } });

/** What the first sign-in leaves. */
async function signIn(id: string): Promise<void> {
  await api.api.domain.database.sql("UPDATE users SET status = 'active', first_signed_in_at = $2 WHERE id = $1", [id, new Date()]);
}

describe('PATCH', () => {
  // Contract: students.update.body, students.update.response
  it('changes the fields that are named and leaves the others', async () => {
    const before = await newStudent({ full_name: 'Ada', student_id: 'S-1' });
    const { status, data } = await calls.patch(before.login_email, { full_name: '  Ada Lovelace ' });
    expect([status, data]).toEqual([200, { ...before, full_name: 'Ada Lovelace', updated_at: data.updated_at }]);
    expect((await calls.get(before.id)).data).toEqual(data);
  });

  // Contract: students.update.body
  it('clears with null', async () => {
    const { id } = await newStudent({ full_name: 'Ada', student_id: 'S-1' });
    const { data } = await calls.patch(id, { full_name: null, student_id: null });
    expect([data.full_name, data.student_id]).toEqual([null, null]);
  });

  // Contract: events.student-updated
  it('emits student.updated with the names of the fields that changed', async () => {
    const { id } = await newStudent({ full_name: 'Ada', student_id: 'S-1' });
    const events = await eventsOfWork(async () => {
      await calls.patch(id, { full_name: 'Ada', student_id: 'S-2' });
      await calls.patch(id, { full_name: 'Grace', student_id: null, status: 'suspended' });
    });
    expect(events).toEqual([updated(id, ['student_id'], 'pending'), updated(id, ['full_name', 'student_id', 'status'], 'suspended')]);
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['the current values', { full_name: 'Ada', student_id: 'S-1' }],
    ['the same but for spaces around it', { full_name: ' Ada ' }],
    ['active, to a pending student', { status: 'active' }],
  ])('of %s changes nothing and emits nothing', async (_, body) => {
    const before = await newStudent({ full_name: 'Ada', student_id: 'S-1' });
    const events = await eventsOfWork(async () => expect((await calls.patch(before.id, body)).data).toEqual(before));
    expect(events).toEqual([]);
  });

  // Contract: students.update.body
  it.each<[string, object, string[]]>([
    ['an unknown status', { status: 'expelled' }, ['status']],
    ['a status that only the service sets', { status: 'pending' }, ['status']],
    ['a status of no text', { status: 1 }, ['status']],
    ['a null status', { status: null }, ['status']],
    ['a null personal email', { personal_email: null }, ['personal_email']],
    ['no email', { personal_email: 'somebody' }, ['personal_email']],
    ['control characters', { full_name: 'a\u0007', student_id: 'a\nb' }, ['full_name', 'student_id']],
    ['too long texts', { full_name: 'x'.repeat(201), student_id: 'x'.repeat(101) }, ['full_name', 'student_id']],
    ['fields of creation alone, and unknown ones', { license_days: 3, id: 'stu_1', role: 'x' }, ['id', 'license_days', 'role']],
  ])('refuses %s and changes nothing', async (_, body, paths) => {
    const before = await newStudent();
    const events = await eventsOfWork(async () => expect(errorSummary(await calls.patch(before.id, body))).toEqual([422, 'validation_error', paths]));
    expect(events).toEqual([]);
    expect((await calls.get(before.id)).data).toEqual(before);
  });

  // Contract: students.states.suspend, students.states.reactivate, students.update.body
  it('with status suspended suspends, and with active restores pending for who never signed in', async () => {
    const { id } = await newStudent();
    expect((await calls.patch(id, { status: 'suspended' })).data.status).toBe('suspended');
    const events = await eventsOfWork(async () => expect((await calls.patch(id, { status: 'active' })).data.status).toBe('pending'));
    expect(events).toEqual([updated(id, ['status'], 'pending')]);
  });

  it('with active restores active for who ever signed in', async () => {
    const { id } = await newStudent();
    await signIn(id);
    await calls.patch(id, { status: 'suspended' });
    const events = await eventsOfWork(async () => expect((await calls.patch(id, { status: 'active' })).data.status).toBe('active'));
    expect(events).toEqual([updated(id, ['status'], 'active')]);
  });

  it('needs students:write, and so do suspend and reactivate', async () => {
    const { id } = await newStudent();
    const key = await api.keyFor(institution, ['students:read']);
    const answers = [
      await call('PATCH', `/students/${id}`, { key, body: {} }),
      await call('POST', `/students/${id}/suspend`, { key }),
      await call('POST', `/students/${id}/reactivate`, { key }),
    ];
    expect(answers.map(({ status, body }) => [status, body.missing])).toEqual(Array(3).fill([403, ['students:write']]));
  });
});

describe('mapping a personal email', () => {
  // Contract: students.fields.personal-email-mapped, students.update.body, events.student-email-mapped
  it('emits student.email_mapped, and no student.updated', async () => {
    const { id } = await newStudent();
    const events = await eventsOfWork(async () => {
      expect((await calls.patch(id, { personal_email: newSecretEmail() })).data.personal_email_mapped).toBe(true);
    });
    expect(events).toEqual([{ type: 'student.email_mapped', data: { student_id: id } }]);
  });

  it('emits it again for another one, and nothing for the same in another case', async () => {
    const personal_email = newSecretEmail();
    const { id } = await newStudent({ personal_email });
    const events = await eventsOfWork(async () => {
      await calls.patch(id, { personal_email: ` ${personal_email.toUpperCase()} ` });
      await calls.patch(id, { personal_email: newSecretEmail() });
    });
    expect(events).toEqual([{ type: 'student.email_mapped', data: { student_id: id } }]);
  });

  it('with other changes emits both events', async () => {
    const { id } = await newStudent();
    const events = await eventsOfWork(() => calls.patch(id, { full_name: 'Ada', personal_email: newSecretEmail() }));
    expect(events).toEqual([updated(id, ['full_name'], 'pending'), { type: 'student.email_mapped', data: { student_id: id } }]);
  });

  it("that is another person's is a conflict, and nothing of the call is done", async () => {
    const personal_email = newSecretEmail();
    await newStudent({ personal_email });
    const before = await newStudent();
    const events = await eventsOfWork(async () => {
      expect(errorSummary(await calls.patch(before.id, { full_name: 'Ada', status: 'suspended', personal_email }))).toEqual([409, 'conflict']);
    });
    expect(events).toEqual([]);
    expect((await calls.get(before.id)).data).toEqual(before);
  });

  it("that is the admin's own mailbox is a conflict too", async () => {
    const { id } = await newStudent();
    expect(errorSummary(await calls.patch(id, { personal_email: `admin@${institution.loginDomain}` }))).toEqual([409, 'conflict']);
  });

  it('frees the one that was mapped before', async () => {
    const personal_email = newSecretEmail();
    const { id } = await newStudent({ personal_email });
    await calls.patch(id, { personal_email: newSecretEmail() });
    expect((await calls.create({ personal_email })).status).toBe(200);
  });

  it('by ten callers to ten students at once lands once; the others are refused', async () => {
    const personal_email = newSecretEmail();
    const created = await Promise.all(Array.from({ length: 10 }, () => newStudent()));
    const events = await eventsOfWork(async () => {
      const answers = await Promise.all(created.map(({ id }) => calls.patch(id, { personal_email })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    });
    expect(events.map(({ type }) => type)).toEqual(['student.email_mapped']);
  });
});

describe('suspending and reactivating', () => {
  // Contract: students.states.suspend, students.suspend.license-stays, students.suspend.response
  it('suspend answers the student, keeps the license and emits student.updated', async () => {
    const before = await newStudent();
    const events = await eventsOfWork(async () => {
      const { status, data } = await calls.suspend(before.login_email);
      expect([status, data]).toEqual([200, { ...before, status: 'suspended', updated_at: data.updated_at }]);
    });
    expect(events).toEqual([updated(before.id, ['status'], 'suspended')]);
  });

  // Contract: students.states.reactivate, students.reactivate.response
  it('reactivate restores pending or active, by whether the student ever signed in', async () => {
    const [never, once] = [await newStudent(), await newStudent()];
    await signIn(once.id);
    for (const { id } of [never, once]) await calls.suspend(id);
    const events = await eventsOfWork(async () => {
      expect((await calls.reactivate(never.id)).data.status).toBe('pending');
      expect((await calls.reactivate(once.id)).data.status).toBe('active');
    });
    expect(events).toEqual([updated(never.id, ['status'], 'pending'), updated(once.id, ['status'], 'active')]);
  });

  // Contract: students.suspend.license-stays, students.reactivate.license-resumes
  it('the license stays active through the suspension, and is there as before after it', async () => {
    const { id, license } = await newStudent();
    const shown = async () => (await call('GET', `/licenses/${license.id}`, { key: institution.apiKey })).data;
    const before = await shown();
    await calls.suspend(id);
    expect([before.status, await shown()]).toEqual(['active', before]);
    expect([(await calls.reactivate(id)).data.license, await shown()]).toEqual([license, before]);
  });

  it('twice succeeds, changes nothing and emits nothing', async () => {
    const [pending, suspended] = [await newStudent(), await newStudent()];
    const after = (await calls.suspend(suspended.id)).data;
    const events = await eventsOfWork(async () => {
      expect(await calls.suspend(suspended.id)).toMatchObject({ status: 200, data: after });
      expect(await calls.patch(suspended.id, { status: 'suspended' })).toMatchObject({ status: 200, data: after });
      expect(await calls.reactivate(pending.id)).toMatchObject({ status: 200, data: pending });
    });
    expect(events).toEqual([]);
  });

  it('ten times at once emits one event', async () => {
    const { id } = await newStudent();
    const events = await eventsOfWork(async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => calls.suspend(id)));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    });
    expect(events).toEqual([updated(id, ['status'], 'suspended')]);
  });

  it('take no body fields', async () => {
    const { id } = await newStudent();
    const answer = await call('POST', `/students/${id}/suspend`, { key: institution.apiKey, body: { reason: 'x' } });
    expect(errorSummary(answer)).toEqual([422, 'validation_error', ['reason']]);
  });
});

describe('the sessions of a suspended student', () => {
  const sessions = () => api.api.domain.database.manager.getRepository(SessionEntity);

  async function open(userId: string, columns: Partial<SessionEntity> = {}): Promise<string> {
    const id = newId('sess');
    const now = new Date();
    await sessions().insert({
      id,
      institutionId: institution.id,
      userId,
      kind: 'student',
      tokenHash: randomBytes(32),
      createdAt: now,
      expiresAt: new Date(now.getTime() + 3_600_000),
      ...columns,
    });
    return id;
  }

  const endOf = async (id: string): Promise<Date | null> => (await sessions().findOneByOrFail({ id })).endedAt;

  // Contract: students.suspend.ends-sessions
  it.each<[string, (id: string) => Promise<unknown>]>([
    ['suspend', (id) => calls.suspend(id)],
    ['PATCH', (id) => calls.patch(id, { status: 'suspended' })],
  ])('end at once by %s, those of others go on', async (_, suspend) => {
    const [student, other] = [await newStudent(), await newStudent()];
    const own = [await open(student.id), await open(student.id)];
    const others = await open(other.id);
    await suspend(student.id);
    for (const id of own) expect(Date.now() - Number(await endOf(id))).toBeLessThan(5_000);
    expect(await endOf(others)).toBeNull();
  });

  it('that ended before keep their end, and reactivation revives none', async () => {
    const { id } = await newStudent();
    const earlier = new Date('2026-01-01T00:00:00.000Z');
    const [ended, open1] = [await open(id, { endedAt: earlier }), await open(id)];
    await calls.suspend(id);
    await calls.reactivate(id);
    expect(await endOf(ended)).toEqual(earlier);
    expect(await endOf(open1)).not.toBeNull();
  });
});
