import { readDisabledNotice } from '../../../db/repositories/webhooks/endpointNotices';
import { transact } from '../../../domain/transact';
import { completeProfile } from '../../../domain/signIn/completeProfile';
import { issueCode } from '../../../domain/signIn/issueCode';
import { openSession } from '../../../domain/signIn/sessions';
import { errorSummary } from '../../support/responses';
import { systemCaller } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { activeDeveloper, asAdmin } from '../../support/developers';
import { seedEndpoint } from '../../support/seed/endpoints';
import { requestCode, codeIn, codeEmailFor, signIn } from '../../support/signInCodes';

const { api, institution, sql, call } = apiFixture();

const path = (id = institution.id): string => `/institutions/${id}/admin`;
const setStatus = (status: string) => api.platform('PATCH', path(), { body: { status } });
const handOver = (faculty_id: string) => api.platform('POST', path(), { body: { faculty_id } });
const teacher = async (): Promise<{ id: string; login_email: string }> => (await call('POST', '/faculty', { full_name: 'Grace Hopper' })).data;
const get = async (id: string) => (await call('GET', `/faculty/${id}`)).data;
const mayUsePortal = async (id: string): Promise<number> => (await api.platform('GET', `/institutions/${institution.id}/keys`, { headers: { 'x-actor': id } })).status;
const complete = (id: string, email: string): Promise<void> =>
  transact(api.api.domain, systemCaller(institution.id), (tx) => completeProfile(tx, id, { employee_id: 'E', department: 'D', position: 'P', email }));

describe('a key with faculty:write, and so its creator,', () => {
  it.each<[string, object]>([
    ['suspend', { status: 'suspended' }],
    ['rename', { full_name: 'Mallory' }],
    ['give another identifier to', { faculty_id: 'HR-9' }],
  ])('cannot %s the institution admin', async (_verb, body) => {
    const before = await get(institution.adminId);
    const key = await api.keyFor(institution, ['faculty:write']);
    for (const named of [institution.adminId, institution.adminLoginEmail]) {
      expect(errorSummary(await api.call('PATCH', `/faculty/${named}`, { key, body }))).toEqual([409, 'conflict']);
    }
    expect(await get(institution.adminId)).toEqual(before);
    expect(await mayUsePortal(institution.adminId)).toBe(200);
  });

  it('cannot undo a suspension by the platform either', async () => {
    await setStatus('suspended');
    expect(errorSummary(await call('PATCH', `/faculty/${institution.adminId}`, { status: 'active' }))).toEqual([409, 'conflict']);
  });

  it('may send the current values, a no-op', async () => {
    const before = await get(institution.adminId);
    expect(await call('PATCH', `/faculty/${institution.adminId}`, { full_name: before.full_name, status: 'active' })).toMatchObject({ status: 200, data: before });
  });

  it('leaves the admin the portal when it revokes their license, which is for the apps', async () => {
    const { license } = await get(institution.adminId);
    expect((await call('POST', `/licenses/${license.id}/revoke`, {})).data.status).toBe('revoked');
    expect(await mayUsePortal(institution.adminId)).toBe(200);
  });
});

it('nobody in the portal suspends the admin, neither the admin nor a developer, who cannot hand the role over either', async () => {
  const developer = await activeDeveloper(api, institution);
  const asDeveloper = { headers: { 'x-actor': developer.id } };
  for (const sent of [asAdmin(institution), asDeveloper]) {
    expect(errorSummary(await api.platform('PATCH', path(), { ...sent, body: { status: 'suspended' } }))).toEqual([403, 'forbidden']);
  }
  const { id } = await teacher();
  expect(errorSummary(await api.platform('POST', path(), { ...asDeveloper, body: { faculty_id: id } }))).toEqual([403, 'forbidden']);
});

it('the admin hands the role over, and has it no longer; not that of another institution', async () => {
  const { id } = await teacher();
  const otherInstitution = await api.institution();
  expect(errorSummary(await api.platform('POST', path(otherInstitution.id), { ...asAdmin(institution), body: { faculty_id: id } }))).toEqual([404, 'not_found']);
  expect(await api.platform('POST', path(), { ...asAdmin(institution), body: { faculty_id: id } })).toMatchObject({ status: 200, data: { id, is_admin: true } });
  expect([await mayUsePortal(id), await mayUsePortal(institution.adminId)]).toEqual([200, 403]);
});

describe('the platform', () => {
  it('suspends the admin, whose sessions end, and makes them active again; twice changes nothing', async () => {
    const before = await get(institution.adminId);
    const { token } = await transact(api.api.domain, systemCaller(institution.id), (tx) => openSession(tx, institution.adminId, 'faculty'));
    for (let nth = 0; nth < 2; nth += 1) expect(await setStatus('suspended')).toMatchObject({ status: 200, data: { ...before, status: 'suspended' } });
    expect(await mayUsePortal(institution.adminId)).toBe(403);
    expect((await api.platform('DELETE', '/sign-in/sessions/current', { key: token })).status).toBe(401);
    for (let nth = 0; nth < 2; nth += 1) expect(await setStatus('active')).toMatchObject({ status: 200, data: before });
    expect(await mayUsePortal(institution.adminId)).toBe(200);
  });

  it('ends what goes to the mailbox of the admin it suspends: codes of new faculty, those that were sent, and emails about webhooks', async () => {
    const { id, login_email } = await teacher();
    const endpointId = await seedEndpoint(api, institution, 'https://receiver.example/', { status: 'disabled', disabledReason: 'gone' });
    const issued = () => transact(api.api.domain, systemCaller(institution.id), (tx) => issueCode(tx, id, undefined));
    const notice = () => readDisabledNotice(api.api.domain.database.sql, institution.id, endpointId);
    await requestCode(api, login_email);
    const email = await codeEmailFor(api, login_email);
    await setStatus('suspended');
    expect((await signIn(api, login_email, codeIn(email))).status).toBe(401);
    expect([await issued(), await notice()]).toEqual([undefined, undefined]);
    await setStatus('active');
    expect((await signIn(api, login_email, codeIn(email))).status).toBe(200);
    expect([await issued(), await notice()]).toEqual([expect.anything(), expect.anything()]);
  });

  it('hands the role over: the new admin has the portal, what nobody else owns, and the mailbox; the old one is a teacher', async () => {
    const { id, login_email } = await teacher();
    expect(await handOver(login_email.toUpperCase())).toMatchObject({ status: 200, data: { id, is_admin: true, status: 'active' } });
    expect((await api.platform('GET', `/institutions/${institution.id}`)).data.admin).toEqual({ id, login_email });
    expect([await mayUsePortal(id), await mayUsePortal(institution.adminId)]).toEqual([200, 403]);
    expect((await call('POST', '/groups', { name: 'Class' })).data.faculty_id).toBe(id);
    const rows = await sql<{ id: string }>('SELECT id FROM users WHERE institution_id = $1 AND personal_email_sealed IS NOT NULL', [institution.id]);
    expect(rows).toEqual([{ id }]);
    expect((await call('PATCH', `/faculty/${institution.adminId}`, { status: 'suspended' })).data).toMatchObject({ is_admin: false, status: 'suspended' });
    expect(await handOver(id)).toMatchObject({ status: 200, data: { id, is_admin: true } });
  });

  it('hands it over from an admin who is suspended', async () => {
    const { id } = await teacher();
    await setStatus('suspended');
    expect((await handOver(id)).status).toBe(200);
    expect(await get(institution.adminId)).toMatchObject({ status: 'suspended', is_admin: false });
    expect(await mayUsePortal(id)).toBe(200);
  });

  it('leaves the old admin the mailbox that is their own; a new one without any has to complete their profile first', async () => {
    const { id } = await teacher();
    await complete(institution.adminId, `ada@${institution.loginDomain}`);
    expect(errorSummary(await handOver(id))).toEqual([409, 'conflict']);
    await complete(id, `grace@${institution.loginDomain}`);
    expect((await handOver(id)).status).toBe(200);
    const rows = await sql('SELECT 1 FROM users WHERE institution_id = $1 AND personal_email_sealed IS NOT NULL', [institution.id]);
    expect(rows).toHaveLength(2);
  });

  it('refuses a successor who is unknown, of another institution, a student or suspended, in the same words', async () => {
    const otherInstitution = await api.institution();
    const { id: suspended } = await teacher();
    await call('PATCH', `/faculty/${suspended}`, { status: 'suspended' });
    const student = (await call('POST', '/students', {})).data;
    for (const named of ['fac_unknown', otherInstitution.adminId, otherInstitution.adminLoginEmail, student.id, student.login_email, suspended]) {
      expect(await handOver(named)).toMatchObject({ status: 422, body: { error: 'invalid_faculty', message: 'faculty_id: no active faculty member of this institution has this id or login email; GET /v1/faculty lists them.' } });
    }
    expect((await get(institution.adminId)).is_admin).toBe(true);
  });

  it('hands it over to one of two at once, and what asks for an admin meanwhile finds one', async () => {
    const successors = [await teacher(), await teacher()];
    const [handed, groups] = await Promise.all([
      Promise.all(successors.map(({ id }) => handOver(id))),
      Promise.all(Array.from({ length: 8 }, () => call('POST', '/groups', { name: 'Class' }))),
    ]);
    expect([...handed, ...groups].map(({ status }) => status)).toEqual(Array(10).fill(200));
    const admins = await sql<{ id: string }>('SELECT id FROM users WHERE institution_id = $1 AND is_admin', [institution.id]);
    expect(successors.map(({ id }) => id)).toContain(admins[0]?.id);
  });

  it('is on record with who became admin', async () => {
    const { id } = await teacher();
    await setStatus('suspended');
    await handOver(id);
    const { data } = await api.platform('GET', `/institutions/${institution.id}/audit-log`, { query: { limit: 2 } });
    expect(data.items.map(({ operation, actor, target }: Record<string, object>) => [operation, actor, target])).toEqual([
      ['handOverInstitutionAdmin', { kind: 'platform', id: 'platform', name: null }, { id: institution.id, created: id }],
      ['updateInstitutionAdmin', { kind: 'platform', id: 'platform', name: null }, { id: institution.id }],
    ]);
  });

  it.each<[string, object, string[]]>([
    ['no status', {}, ['status']],
    ['a status that only students have', { status: 'pending' }, ['status']],
    ['another field', { status: 'active', full_name: 'Ada' }, ['full_name']],
  ])('is refused %s', async (_what, body, paths) => {
    expect(errorSummary(await api.platform('PATCH', path(), { body }))).toEqual([422, 'validation_error', paths]);
  });

  it('finds no admin in an institution that does not exist', async () => {
    expect(errorSummary(await api.platform('PATCH', path('ins_none'), { body: { status: 'active' } }))).toEqual([404, 'not_found']);
    expect(errorSummary(await api.platform('POST', path('ins_none'), { body: { faculty_id: institution.adminId } }))).toEqual([404, 'not_found']);
  });
});
