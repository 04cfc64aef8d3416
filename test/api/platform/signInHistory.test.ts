import { invitationToken } from '../../../domain/guardians/invitation';
import { apiFixture } from '../../support/apiFixture';
import { activeDeveloper, asAdmin } from '../../support/developers';
import { codeEmailFor, codeIn, requestCode } from '../../support/signInCodes';

const { api, institution, call, sql } = apiFixture();

let mailboxes = 0;
const student = async (): Promise<{ id: string; login_email: string }> => (await call('POST', '/students', { personal_email: `history${(mailboxes += 1)}@mail.example` })).data;
const signInFrom = (address: string | undefined, login_email: string, code: string) =>
  api.platform('POST', '/sign-in/sessions', { key: undefined, headers: address === undefined ? {} : { 'X-Forwarded-For': address }, body: { login_email, code } });
const historyOf = async (id: string, kind = 'students') => (await call('GET', `/${kind}/${id}/sign-ins`)).data.items.map(({ id: _id, at: _at, ...entry }: { id: string; at: string }) => entry);

async function codeFor(loginEmail: string, nth = 1): Promise<string> {
  await requestCode(api, loginEmail);
  return codeIn(await codeEmailFor(api, loginEmail, nth));
}
const wrong = (code: string): string => (code === '000000' ? '000001' : '000000');

describe('the history of a person', () => {
  it('has who signed in and who tried, when, from which address and with which result, newest first; like tries are one entry', async () => {
    const { id, login_email } = await student();
    await signInFrom('203.0.113.7', login_email, '123456');
    const code = await codeFor(login_email);
    for (let nth = 0; nth < 3; nth += 1) await signInFrom('203.0.113.7', login_email, wrong(code));
    await signInFrom('203.0.113.8', login_email, wrong(code));
    await signInFrom(undefined, login_email, code);
    expect(await historyOf(id)).toEqual([
      { client_address: null, result: 'signed_in', tries: 1 },
      { client_address: '203.0.113.8', result: 'wrong_code', tries: 1 },
      { client_address: '203.0.113.7', result: 'wrong_code', tries: 3 },
      { client_address: '203.0.113.7', result: 'no_valid_code', tries: 1 },
    ]);
    const at = (await call('GET', `/students/${login_email}/sign-ins`)).data.items[0].at;
    expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000);
  });

  it('has the tries from all addresses of one network within a minute as one entry, and at most 20 entries of one result', async () => {
    const [one, other] = [await student(), await student()];
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:3::1']) await signInFrom(address, one.login_email, '123456');
    expect(await historyOf(one.id)).toEqual([
      { client_address: '2001:db8:1:3::1', result: 'no_valid_code', tries: 1 },
      { client_address: '2001:db8:1:2::1', result: 'no_valid_code', tries: 2 },
    ]);
    for (let nth = 1; nth <= 25; nth += 1) await signInFrom(`203.0.113.${nth}`, other.login_email, '123456');
    const entries = await historyOf(other.id);
    expect([entries.length, entries[0].tries]).toEqual([20, 6]);
  });

  it('has the tries at a suspended account, and is another person\'s own', async () => {
    const [one, other] = [await student(), await student()];
    const code = await codeFor(one.login_email);
    await call('POST', `/students/${one.id}/suspend`);
    await signInFrom(undefined, one.login_email, code);
    expect(await historyOf(one.id)).toEqual([{ client_address: null, result: 'not_allowed', tries: 1 }]);
    expect(await historyOf(other.id)).toEqual([]);
  });

  it('is that of faculty, too', async () => {
    const { id, login_email } = (await call('POST', '/faculty', { full_name: 'Grace Hopper' })).data;
    await signInFrom(undefined, login_email, await codeFor(login_email));
    expect(await historyOf(id, 'faculty')).toEqual([{ client_address: null, result: 'signed_in', tries: 1 }]);
  });
});

describe('a lock', () => {
  async function locked(): Promise<{ id: string; login_email: string }> {
    const one = await student();
    for (let nth = 1; nth <= 2; nth += 1) {
      const code = await codeFor(one.login_email, nth);
      for (let tries = 0; tries < 5; tries += 1) await signInFrom(undefined, one.login_email, wrong(code));
    }
    return one;
  }

  it('is lifted by the admin, after which a new code opens a session', async () => {
    const { id, login_email } = await locked();
    const code = await codeFor(login_email, 3);
    expect((await signInFrom(undefined, login_email, code)).status).toBe(401);
    expect((await historyOf(id))[0]).toMatchObject({ result: 'locked' });
    expect(await api.platform('POST', `/students/${login_email}/unlock`, asAdmin(institution))).toMatchObject({ status: 200, data: { id, unlocked: true } });
    expect((await signInFrom(undefined, login_email, code)).status).toBe(401);
    expect((await signInFrom(undefined, login_email, await codeFor(login_email, 4))).status).toBe(200);
  });

  it('is shown to support with its beginning and end until it is lifted', async () => {
    const { id, login_email } = await locked();
    const account = async () => (await api.platform('GET', '/search', { query: { q: login_email } })).data.items[0].account;
    const until = new Date((await account()).locked_until).getTime();
    const since = new Date((await account()).locked_since).getTime();
    expect([since > Date.now() - 5 * 60_000, since <= Date.now(), until - since]).toEqual([true, true, 60 * 60_000]);
    expect([until > Date.now() + 55 * 60_000, until <= Date.now() + 60 * 60_000]).toEqual([true, true]);
    await api.platform('POST', `/students/${id}/unlock`, asAdmin(institution));
    expect(await account()).toMatchObject({ locked_since: null, locked_until: null });
  });

  it('is lifted in the audit log, with the admin and the person', async () => {
    const { id } = await student();
    await api.platform('POST', `/students/${id}/unlock`, asAdmin(institution));
    const { data } = await api.platform('GET', `/institutions/${institution.id}/audit-log`, { query: { operation: 'unlockStudent' } });
    expect(data.items).toMatchObject([{ actor: { kind: 'faculty', id: institution.adminId }, operation: 'unlockStudent', target: { id } }]);
  });

  it('is lifted by the admin alone: not by a key, a developer, the platform or the person', async () => {
    const { id, login_email } = await student();
    const { data } = await signInFrom(undefined, login_email, await codeFor(login_email));
    const { id: developer } = await activeDeveloper(api, institution);
    const unlock = (sent: object) => api.platform('POST', `/students/${id}/unlock`, sent);
    const refused = [await unlock({}), await unlock({ headers: { 'x-actor': developer } }), await unlock({ key: data.session }), await unlock({ key: institution.apiKey })];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 401]);
    expect((await call('POST', `/students/${id}/unlock`)).status).toBe(404);
  });

  it('of a developer or a guardian is lifted by the admin, too', async () => {
    const developer = await activeDeveloper(api, institution);
    const guardian = `guardian.${institution.id.slice(-8)}@mail.example`;
    const { data: link } = await call('POST', '/guardians', { student_id: (await student()).id, guardian_email: guardian, guardian_type: 'mother' });
    await api.platform('POST', '/guardian-invitations/accept', { key: undefined, body: { token: invitationToken(api.api.domain.secrets, { linkId: link.id, invitation: 1 }) } });
    const otherInstitution = await api.institution();
    for (const { path, id, email } of [{ path: 'developers', id: developer.id, email: developer.email }, { path: 'guardians', id: link.id, email: guardian }]) {
      for (let nth = 1; nth <= 2; nth += 1) {
        const code = await codeFor(email, nth);
        for (let tries = 0; tries < 5; tries += 1) await signInFrom(undefined, email, wrong(code));
      }
      expect((await signInFrom(undefined, email, await codeFor(email, 3))).status).toBe(401);
      expect((await api.platform('POST', `/${path}/${id}/unlock`, asAdmin(otherInstitution))).body.error).toBe('not_found');
      expect(await api.platform('POST', `/${path}/${id}/unlock`, asAdmin(institution))).toMatchObject({ status: 200, data: { id, unlocked: true } });
      expect((await signInFrom(undefined, email, await codeFor(email, 4))).status).toBe(200);
    }
  });

  it('of faculty, too; not of another institution', async () => {
    const { id } = (await call('POST', '/faculty', { full_name: 'Grace Hopper' })).data;
    expect((await api.platform('POST', `/faculty/${id}/unlock`, asAdmin(institution))).status).toBe(200);
    const otherInstitution = await api.institution();
    for (const path of [`/faculty/${id}/unlock`, `/students/${(await student()).id}/unlock`]) {
      expect((await api.platform('POST', path, asAdmin(otherInstitution))).body.error).toBe('not_found');
    }
  });
});

it('a person has 20 sessions at most: a further one ends the oldest', async () => {
  const { id, login_email } = await student();
  const sessions: string[] = [];
  for (let nth = 1; nth <= 21; nth += 1) {
    // Five codes an hour are enough for an app, not for this test.
    await sql("UPDATE sign_in_codes SET created_at = created_at - interval '1 hour' WHERE user_id = $1", [id]);
    sessions.push((await signInFrom(undefined, login_email, await codeFor(login_email, nth))).data.session);
  }
  const live = await Promise.all(sessions.map(async (key) => (await api.platform('GET', '/app/exams', { key })).status === 200));
  expect(live).toEqual([false, ...Array<boolean>(20).fill(true)]);
});

it('sign-ins of one client address are limited, those of others go on', async () => {
  const ask = (address: string) =>
    api.platform('POST', '/sign-in/codes', { key: undefined, headers: { 'X-Forwarded-For': address }, body: { login_email: 'student9.00000000@nowhere.example' } });
  const refused = async (): Promise<boolean> => {
    const { status, headers } = await ask('203.0.113.200');
    return status === 429 && Number(headers.get('retry-after')) > 0;
  };
  // A minute may end meanwhile, with which the count begins again.
  let calls = 0;
  while (calls < 700 && !(await refused())) calls += 1;
  expect(calls).toBeGreaterThanOrEqual(300);
  expect(calls).toBeLessThan(700);
  expect((await ask('203.0.113.201')).status).toBe(200);
});
