import { setTimeout as pause } from 'node:timers/promises';
import { lockAccount } from '../../../db/repositories/signIn/accounts';
import { transact } from '../../../domain/transact';
import * as mailed from '../../support/signInCodes';
import { apiFixture } from '../../support/apiFixture';
import type { ParsedMail } from '../../support/stack';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const anybody = { key: undefined };
const { codeIn, recipientsOf } = mailed;

const ask = (login_email: string, over: object = {}) => mailed.requestCode(api, login_email, over);
const signIn = (login_email: string, code: string) => mailed.signIn(api, login_email, code);
const emailsFor = (loginEmail: string) => mailed.codeEmailsFor(api, loginEmail);
const emailFor = (loginEmail: string, nth = 1) => mailed.codeEmailFor(api, loginEmail, nth);

async function student(personal_email?: string): Promise<{ id: string; login_email: string }> {
  const { data } = await api.call('POST', '/students', { key: institution.apiKey, body: personal_email === undefined ? {} : { personal_email } });
  return data;
}

/** What signing in answers to an account that has asked for a code and read its email. */
const sessionOf = async (loginEmail: string) => (await mailed.signInByMail(api, loginEmail)).answer;

const wrongCode = (mail: ParsedMail): string => (codeIn(mail) === '000000' ? '000001' : '000000');

describe('asking for a code', () => {
  it('answers the same whether the account exists or not', async () => {
    const { login_email } = await student('exists@mail.example');
    const [known, unknown] = [await ask(login_email), await ask('student9.00000000@nowhere.example')];
    expect(known.status).toBe(200);
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    await emailFor(login_email);
  });

  it('answers before anything of the account is looked at: a locked account makes nobody wait', async () => {
    const { id, login_email } = await student('locked@mail.example');
    const answeredInMs = await transact(api.api.domain, institution.caller, async (tx) => {
      await lockAccount(tx, id);
      const started = performance.now();
      await ask(login_email);
      await pause(300);
      expect(await emailsFor(login_email)).toEqual([]);
      return performance.now() - started - 300;
    });
    expect(answeredInMs).toBeLessThan(1_000);
    await emailFor(login_email);
  });

  // Contract: students.login-email.signs-in, students.personal-email.receives-sign-in-codes
  it('sends plain text and HTML with institution, code and validity to the mapped email', async () => {
    const { login_email } = await student('Reader@mail.example');
    await ask(login_email.toUpperCase());
    const mail = await emailFor(login_email);
    expect(recipientsOf(mail)).toEqual(['reader@mail.example']);
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('North School');
      expect(part).toContain('10 minutes');
      expect(part).toContain(codeIn(mail));
    }
  });

  // Contract: students.login-email.signs-in, students.fields.personal-email-mapped, students.personal-email.mapped-at-first-login
  // Contract: students.states.first-sign-in-activates
  it('sends the code of a student without a mapped email to the one they name, and maps it on success', async () => {
    const { id, login_email } = await student();
    await ask(login_email, { personal_email: 'Mine.Now@mail.example' });
    const mail = await emailFor(login_email);
    expect(recipientsOf(mail)).toEqual(['mine.now@mail.example']);
    expect((await signIn(login_email, codeIn(mail))).data.user).toEqual({ id, kind: 'student', login_email, full_name: null, status: 'active' });
    const { data } = await api.call('GET', `/students/${id}`, { key: institution.apiKey });
    expect(data).toMatchObject({ status: 'active', personal_email_mapped: true });
  });

  it('ignores a named email where one is mapped', async () => {
    const { login_email } = await student('mapped.one@mail.example');
    await ask(login_email, { personal_email: 'thief@mail.example' });
    expect(recipientsOf(await emailFor(login_email))).toEqual(['mapped.one@mail.example']);
  });

  it('answers 200 for an email that another person has mapped; the session is the conflict', async () => {
    await student('owner@mail.example');
    const { id, login_email } = await student();
    expect((await ask(login_email, { personal_email: 'owner@mail.example' })).status).toBe(200);
    const { status, body } = await signIn(login_email, codeIn(await emailFor(login_email)));
    expect([status, body.error]).toEqual([409, 'conflict']);
    expect((await api.call('GET', `/students/${id}`, { key: institution.apiKey })).data.status).toBe('pending');
  });

  it('sends five codes an hour and then none, with the same answer', async () => {
    const { login_email } = await student('five@mail.example');
    const answers = [];
    for (let nth = 0; nth < 7; nth += 1) answers.push(await ask(login_email));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    await emailFor(login_email, 5);
    const after = await student('after.five@mail.example');
    await ask(after.login_email);
    await emailFor(after.login_email);
    expect(await emailsFor(login_email)).toHaveLength(5);
  });

  it('refuses a body with unknown fields or without a login email', async () => {
    expect((await ask('a@b.example', { app: 'svcapp' })).body.issues).toMatchObject([{ path: 'app' }]);
    expect((await api.platform('POST', '/sign-in/codes', { ...anybody, body: {} })).body.issues).toMatchObject([{ path: 'login_email' }]);
  });
});

describe('faculty', () => {
  const member = async (): Promise<{ id: string; login_email: string }> =>
    (await api.call('POST', '/faculty', { key: institution.apiKey, body: { full_name: 'Grace' } })).data;

  const complete = (session: string, email: string) =>
    api.platform('POST', '/me/profile', { key: session, body: { employee_id: 'E-1', department: 'Mathematics', position: 'Lecturer', email } });
  const completions = async (id: string) =>
    api.api.domain.database.sql("SELECT 1 FROM events WHERE type = 'faculty.profile_completed' AND body LIKE '%' || $1 || '%'", [id]);

  it('cannot take another person\'s email', async () => {
    const { id, login_email } = await member();
    await student('students.own@mail.example');
    const { data } = await sessionOf(login_email);
    expect((await complete(data.session, 'students.own@mail.example')).body.error).toBe('conflict');
    expect(await completions(id)).toHaveLength(0);
  });

  it('alone has a profile to complete', async () => {
    const { login_email } = await student('no.profile@mail.example');
    const { data } = await sessionOf(login_email);
    expect((await complete(data.session, 'x@mail.example')).body.error).toBe('forbidden');
    expect((await api.platform('POST', '/me/profile', { ...anybody, body: {} })).body.error).toBe('unauthorized');
  });
});

describe('signing in', () => {
  // Contract: sign-in.codes.no-passwords
  it('refuses a wrong, a used and an expired code, an unknown account and a suspended person with one body', async () => {
    const { id, login_email } = await student('one.body@mail.example');
    await ask(login_email);
    const mail = await emailFor(login_email);
    const wrong = await signIn(login_email, wrongCode(mail));
    expect([wrong.status, wrong.body.error]).toEqual([401, 'unauthorized']);
    expect((await signIn(login_email, codeIn(mail))).status).toBe(200);
    const used = await signIn(login_email, codeIn(mail));
    await ask(login_email);
    const second = await emailFor(login_email, 2);
    await api.api.domain.database.sql("UPDATE sign_in_codes SET expires_at = now() - interval '1 ms' WHERE user_id = $1 AND used_at IS NULL", [id]);
    const expired = await signIn(login_email, codeIn(second));
    const unknown = await signIn('student9.00000000@nowhere.example', '123456');
    const words = await signIn(login_email, 'not a code');
    await ask(login_email);
    const third = await emailFor(login_email, 3);
    await api.call('POST', `/students/${id}/suspend`, { key: institution.apiKey });
    const suspended = await signIn(login_email, codeIn(third));
    for (const { status, body } of [used, expired, unknown, words, suspended]) expect([status, body]).toEqual([wrong.status, wrong.body]);
  });

  it('answers a session of 12 hours that is kept as a hash', async () => {
    const { login_email } = await student('session@mail.example');
    const { data } = await sessionOf(login_email);
    expect(data.session).toMatch(/^ses_[A-Za-z0-9_-]{43}$/);
    expect((Date.parse(data.expires_at) - Date.now()) / 3_600_000).toBeCloseTo(12, 1);
    const rows = await api.api.domain.database.sql<{ kept: string }>('SELECT sessions::text AS kept FROM sessions');
    for (const { kept } of rows) expect(kept).not.toContain(data.session.slice(4));
  });
});

describe('a session', () => {
  // Contract: students.full-name.shown-in-apps
  it('begins with the name of who has signed in, for the app to show, as it is by now', async () => {
    const { id, login_email } = await student('named@mail.example');
    for (const full_name of ['Ada Lovelace', 'Ada King']) {
      await api.call('PATCH', `/students/${id}`, { key: institution.apiKey, body: { full_name } });
      expect((await sessionOf(login_email)).data.user.full_name).toBe(full_name);
    }
  });

  const current = (session: string) => api.platform('DELETE', '/sign-in/sessions/current', { key: session });

  it('ends once, and is unauthorized from then on', async () => {
    const { login_email } = await student('ends@mail.example');
    const { data } = await sessionOf(login_email);
    expect((await current(data.session)).data.deleted).toBe(true);
    const { status, body } = await current(data.session);
    expect([status, body.error]).toEqual([401, 'unauthorized']);
  });

  it('leaves the person\'s other sessions alone when it ends', async () => {
    const { login_email } = await student('two.sessions@mail.example');
    const [first, second] = [await sessionOf(login_email), await sessionOf(login_email)];
    await current(first.data.session);
    expect((await current(second.data.session)).status).toBe(200);
  });

  // Contract: students.suspend.ends-sessions
  it('ends at once when its person is suspended, and does not come back with them', async () => {
    const { id, login_email } = await student('suspended@mail.example');
    const { data } = await sessionOf(login_email);
    await api.call('POST', `/students/${id}/suspend`, { key: institution.apiKey });
    expect((await current(data.session)).status).toBe(401);
    await api.call('POST', `/students/${id}/reactivate`, { key: institution.apiKey });
    expect((await current(data.session)).status).toBe(401);
  });

  it('is unauthorized when expired or unknown', async () => {
    const { id, login_email } = await student('expires@mail.example');
    const { data } = await sessionOf(login_email);
    await api.api.domain.database.sql("UPDATE sessions SET expires_at = now() - interval '1 ms' WHERE user_id = $1", [id]);
    expect((await current(data.session)).status).toBe(401);
    expect((await current('ses_unknown')).status).toBe(401);
  });

  it('is what signing out needs: the platform token is forbidden there', async () => {
    expect((await api.platform('DELETE', '/sign-in/sessions/current')).body.error).toBe('forbidden');
  });
});
