import { transact } from '../../../domain/transact';
import type { ApiResponse } from '../../support/api';
import { signInToConsole } from '../../support/console';
import { addStaffMember } from '../../support/staff';
import { seedDelivery } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { seedSubmission } from '../../support/seed/submissions';
import { apiFixture } from '../../support/apiFixture';

const { api, institution, call, createExam } = apiFixture();

const log = (query: Record<string, string | number> = {}, of = institution) => api.platform('GET', `/institutions/${of.id}/audit-log`, { query });
const requestOf = ({ headers }: ApiResponse): string => headers.get('x-request-id') ?? '';

describe('a write with a key', () => {
  it('is on record with the key, the operation, the ids in its path, the names of its fields, and its request', async () => {
    const { id } = (await call('POST', '/students', { full_name: 'Grace Hopper' })).data;
    const before = Date.now();
    const changing = await call('PATCH', `/students/${id}`, { personal_email: 'grace@mail.example', full_name: 'Grace H.' });
    const { data } = await log();
    const { data: keys } = await api.platform('GET', `/institutions/${institution.id}/keys`);
    expect(data.items.map(({ id: _id, at: _at, ...one }: Record<string, unknown>) => one)).toEqual([
      {
        actor: { kind: 'key', id: institution.keyId, name: keys.items[0].name }, operation: 'updateStudent', method: 'PATCH', path: '/v1/students/{id}',
        target: { id }, changed: ['personal_email', 'full_name'], request_id: requestOf(changing),
      },
      expect.objectContaining({ operation: 'createStudent', path: '/v1/students', target: { created: id }, changed: ['full_name'] }),
    ]);
    expect(data.items[0].id).toMatch(/^aud_/);
    expect(Math.abs(Date.parse(data.items[0].at) - before)).toBeLessThan(60_000);
  });

  it('that names a person by login email is on record with their id, not with the address', async () => {
    const { id, login_email: email } = (await call('POST', '/students', {})).data;
    expect((await call('POST', `/students/${email.toUpperCase()}/suspend`)).status).toBe(200);
    const { data } = await log({ operation: 'suspendStudent' });
    expect(data.items).toMatchObject([{ target: { id } }]);
  });

  it('that finds nothing to change is a call that was made', async () => {
    const { id } = (await call('POST', '/students', {})).data;
    for (let times = 0; times < 2; times += 1) await call('POST', `/students/${id}/suspend`);
    expect((await log({ operation: 'suspendStudent' })).data.total).toBe(2);
  });

  it('that a ref has done before is on record as a repeat of what was created, not as a creation', async () => {
    await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 500 } });
    const { id: user_id, login_email: email } = (await call('POST', '/students', {})).data;
    const body = { email, amount_cents: 100, reason: 'Prize', ref: 'prize-1' };
    const { data: { id } } = await call('POST', '/merits/credits', body);
    expect((await call('POST', '/merits/credits', body)).data).toMatchObject({ id, applied: false });
    const { data } = await log({ operation: 'creditMerits' });
    expect(data.items.map(({ target }: Record<string, unknown>) => target)).toEqual([{ repeated: id, user_id }, { created: id, user_id }]);
    expect((await log({ target_id: id })).data.total).toBe(2);
  });

  it('of something that belongs to a student is found by the student: a credit, a guardian, a grade', async () => {
    const exam = await createExam();
    const student = (await call('POST', '/students', {})).data;
    const submission = await seedSubmission(api, institution, { examId: exam.id, studentId: student.id });
    await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 500 } });
    await call('POST', '/merits/credits', { email: student.login_email, amount_cents: 100, reason: 'Prize', ref: 'prize-1' });
    const { id: guardian } = (await call('POST', '/guardians', { student_id: student.login_email, guardian_email: 'augusta@example.org', guardian_type: 'mother' })).data;
    await call('DELETE', `/guardians/${guardian}`);
    await call('POST', `/submissions/${submission}/grade`, { score: 70, graded_by: exam.faculty_id });
    await call('POST', `/submissions/${submission}/void`);
    const { data } = await log({ target_id: student.login_email });
    expect(data.items.map(({ operation }: Record<string, unknown>) => operation)).toEqual(['voidSubmission', 'gradeSubmission', 'removeGuardian', 'inviteGuardian', 'creditMerits', 'createStudent']);
    expect(data.items[2].target).toEqual({ id: guardian, student_id: student.id });
    expect((await log({ target_id: student.id })).data).toEqual(data);
  });

  it('that is refused, by its scope, its body or a rule, leaves nothing; nor does a read', async () => {
    const reader = await api.keyFor(institution, ['students:read']);
    const refused = [
      await api.call('POST', '/students', { key: reader, body: {} }),
      await call('POST', '/students', { surprise: 1 }),
      await call('POST', '/students/stu_none/suspend'),
      await call('POST', '/groups', { name: 'Robotics', faculty_id: 'fac_none' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 422, 404, 422]);
    await call('GET', '/students');
    expect((await log()).data).toMatchObject({ items: [], total: 0 });
  });

  it('of several transactions is on record once: a test of an endpoint', async () => {
    const endpoint = await seedEndpoint(api, institution, 'https://127.0.0.1:1/');
    const pinged = await call('POST', `/webhooks/endpoints/${endpoint}/test`);
    expect((await log()).data.items).toMatchObject([{ operation: 'testWebhookEndpoint', target: { id: endpoint }, request_id: requestOf(pinged) }]);
  });
});

it('a replay or recovery that only counts is not on record, one that sends is', async () => {
  const endpoint = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
  for (const operation of ['recover', 'replay-dead']) {
    for (const dry_run of [true, false]) {
      expect((await api.platform('POST', `/institutions/${institution.id}/webhook-endpoints/${endpoint}/${operation}`, { body: { since: '2026-11-01T00:00:00Z', dry_run } })).status).toBe(200);
    }
  }
  expect((await log()).data.items.map(({ operation }: { operation: string }) => operation)).toEqual(['replayDeadDeliveries', 'recoverDeliveries']);
});

describe('a write of the platform', () => {
  it('is on record with the platform, or the portal user for whom it was made', async () => {
    await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 500 } });
    const { data: key } = await api.platform('POST', `/institutions/${institution.id}/keys`, { headers: { 'x-actor': institution.adminId }, body: { name: 'n', scopes: ['students:read'] } });
    const adminName = (await call('GET', `/faculty/${institution.adminId}`)).data.full_name;
    expect((await log()).data.items).toMatchObject([
      { actor: { kind: 'faculty', id: institution.adminId, name: adminName }, operation: 'createKey', target: { id: institution.id, created: key.key_id }, changed: ['name', 'scopes'] },
      { actor: { kind: 'platform', id: 'platform' }, operation: 'setAllowance', path: '/platform/v1/institutions/{id}/allowance', target: { id: institution.id } },
    ]);
  });

  it('that makes an institution is on record there', async () => {
    const body = { name: 'West School', login_domain: 'west.example', admin_email: 'office@west.example', admin_name: 'Ada' };
    const { data } = await api.platform('POST', '/institutions', { body });
    const { data: kept } = await api.platform('GET', `/institutions/${data.id}/audit-log`);
    expect(kept.items).toMatchObject([{ operation: 'createInstitution', target: { created: data.id }, changed: ['name', 'login_domain', 'admin_email', 'admin_name'] }]);
  });

  it('at the support console is on record, a refused one is not', async () => {
    const endpoint = await seedEndpoint(api, institution, 'https://receiver.example/');
    const delivery = await seedDelivery(api, institution, endpoint, { status: 'retrying' });
    const sam = await addStaffMember(api);
    const supporter = await signInToConsole(api, sam.token);
    for (let times = 0; times < 2; times += 1) await supporter.post(`/console/deliveries/${delivery}/cancel`);
    await supporter.post(`/console/endpoints/${endpoint}/pause`);
    expect((await log()).data.items).toMatchObject([
      { operation: 'updateWebhookEndpoint', path: '/console/endpoints/{id}/pause', target: { id: endpoint }, changed: ['status'] },
      { actor: { kind: 'staff', id: sam.id, name: 'Sam Support' }, operation: 'cancelDelivery', method: 'POST', target: { id: delivery } },
    ]);
  });
});

it('a call is on record with its transaction or not at all', async () => {
  const { domain } = api.api;
  const operation = { id: 'updateStudent', method: 'PATCH', path: '/v1/students/{id}', target: {}, changed: [] };
  const caller = { ...institution.caller, actor: { kind: 'key' as const, id: institution.keyId }, operation };
  await expect(transact(domain, caller, () => Promise.reject(new Error('rolled back')))).rejects.toThrow('rolled back');
  await expect(transact(domain, caller, async (tx) => { await tx.sql('SELECT 1 / 0').catch(() => undefined); })).rejects.toThrow('aborted');
  expect((await log()).data.total).toBe(0);
  await transact(domain, { ...caller, actor: { kind: 'session', id: 'stu_1' } }, () => Promise.resolve());
  expect((await log()).data.total).toBe(0);
  await transact(domain, caller, () => Promise.resolve());
  expect((await log()).data.total).toBe(1);
});

describe('the list', () => {
  it('is narrowed to what was named in a path or created', async () => {
    const { id } = (await call('POST', '/students', {})).data;
    await call('POST', `/students/${id}/suspend`);
    await call('POST', '/students', {});
    expect((await log({ target_id: id })).data).toMatchObject({ total: 2, items: [{ operation: 'suspendStudent', target: { id } }, { operation: 'createStudent', target: { created: id } }] });
    expect((await log({ target_id: id, operation: 'createStudent' })).data.total).toBe(1);
    expect((await log({ target_id: 'stu_none' })).data.items).toEqual([]);
  });

  it('is narrowed to a person by login email, and to ids, in any case', async () => {
    const created = await call('POST', '/students', {});
    const { id, login_email: email } = created.data;
    await call('POST', `/students/${id}/suspend`);
    for (const typed of [String(email), String(email).toUpperCase(), String(id).toUpperCase()]) expect([typed, (await log({ target_id: typed })).data.total]).toEqual([typed, 2]);
    expect((await log({ request_id: requestOf(created).toUpperCase() })).data.total).toBe(1);
    expect((await log({ actor_id: 'PLATFORM' })).status).toBe(200);
    expect((await log({ target_id: 'nobody@north.example' })).data).toMatchObject({ items: [], note: 'Nobody of this institution has the login email nobody@north.example.' });
  });

  it('comes newest first, in pages, by who, what, request and time', async () => {
    const answers: ApiResponse[] = [];
    for (const name of ['a', 'b', 'c']) answers.push(await call('POST', '/groups', { name }));
    await api.platform('POST', `/institutions/${institution.id}/suspend`);
    const [first, last] = [await log({ limit: 3 }), await log({ limit: 3, page: 2 })];
    expect([first.data.total, first.data.has_more, last.data.items.length]).toEqual([4, true, 1]);
    const all = [...first.data.items, ...last.data.items];
    expect(all.map(({ operation }) => operation)).toEqual(['suspendInstitution', 'createGroup', 'createGroup', 'createGroup']);
    const [, second] = answers.map(requestOf);
    expect((await log({ request_id: second ?? '' })).data.items).toEqual([all[2]]);
    expect((await log({ actor_id: 'platform' })).data.items).toEqual([all[0]]);
    expect((await log({ operation: 'createGroup', since: all[3].at })).data.items).toEqual(all.slice(1, 3).filter(({ at }) => at > all[3].at));
  });

  it('is for the platform and the admin, each institution by itself', async () => {
    const otherInstitution = await api.institution();
    await call('POST', '/groups', { name: 'a' });
    expect((await log({}, otherInstitution)).data.total).toBe(0);
    const asAdmin = { headers: { 'x-actor': institution.adminId } };
    expect((await api.platform('GET', `/institutions/${institution.id}/audit-log`, asAdmin)).data.total).toBe(1);
    expect((await api.platform('GET', `/institutions/${otherInstitution.id}/audit-log`, asAdmin)).status).toBe(404);
  });
});
