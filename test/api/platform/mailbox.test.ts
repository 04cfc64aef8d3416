import { apiFixture } from '../../support/apiFixture';
import { eventually } from '../../support/eventually';
import { recipientsOf, requestCode, signInByMail, codeEmailFor } from '../../support/signInCodes';

const { api, institution, call, sql } = apiFixture({ institutionPer: 'file' });

let addresses = 0;
const address = (): string => `box${(addresses += 1)}.${institution.loginDomain}@mail.example`;

async function student(personal_email: string): Promise<{ id: string; login_email: string }> {
  return (await call('POST', '/students', { personal_email })).data;
}
const session = async (loginEmail: string): Promise<string> => (await signInByMail(api, loginEmail)).answer.data.session;
const want = (key: string, email: string) => api.platform('POST', '/me/mailbox', { key, body: { email } });
const confirm = (key: string, code: string) => api.platform('POST', '/me/mailbox/confirm', { key, body: { code } });
const isLive = async (key: string): Promise<boolean> => (await api.platform('GET', '/app/exams', { key })).status === 200;

/** The newest email to an address. */
const emailTo = (to: string, subject: string) =>
  eventually('an email', async () => (await api.stack.mail.messages()).findLast((mail) => recipientsOf(mail).includes(to) && mail.subject?.includes(subject)));
const codeTo = async (to: string): Promise<string> => /: (\d{6})$/m.exec((await emailTo(to, 'Confirm your email')).text ?? '')?.[1] ?? '';
const wrong = (code: string): string => (code === '000000' ? '000001' : '000000');

describe('a person who wants another mailbox', () => {
  it('gets a code there; once it is confirmed codes go there, the other sessions end, and the old address is notified', async () => {
    const [old, next] = [address(), address()];
    const { login_email } = await student(old);
    const [other, own] = [await session(login_email), await session(login_email)];
    expect(await want(own, next)).toMatchObject({ status: 200, data: { accepted: true, valid_minutes: 10 } });
    const code = await codeTo(next);
    await requestCode(api, login_email);
    expect(recipientsOf(await codeEmailFor(api, login_email, 3))).toEqual([old]);
    expect((await confirm(own, code)).status).toBe(200);
    expect([await isLive(own), await isLive(other)]).toEqual([true, false]);
    expect((await emailTo(old, 'has changed')).text).toContain(login_email);
    await requestCode(api, login_email);
    expect(recipientsOf(await codeEmailFor(api, login_email, 4))).toEqual([next]);
  });

  it('changes nothing with a wrong, a used or an expired code; five wrong ones make it invalid', async () => {
    const { id, login_email } = await student(address());
    const own = await session(login_email);
    const [first, second] = [address(), address()];
    await want(own, first);
    const code = await codeTo(first);
    for (let nth = 0; nth < 5; nth += 1) expect((await confirm(own, wrong(code))).body.error).toBe('validation_error');
    expect((await confirm(own, code)).body.error).toBe('validation_error');
    await want(own, second);
    await sql("UPDATE mailbox_changes SET expires_at = now() - interval '1 ms' WHERE user_id = $1 AND used_at IS NULL", [id]);
    expect((await confirm(own, await codeTo(second))).body.error).toBe('validation_error');
    const third = address();
    await want(own, third);
    expect((await confirm(own, await codeTo(third))).status).toBe(200);
    expect((await confirm(own, await codeTo(third))).body.error).toBe('validation_error');
  });

  it('gets five codes an hour', async () => {
    const { login_email } = await student(address());
    const own = await session(login_email);
    for (let nth = 0; nth < 5; nth += 1) expect((await want(own, address())).status).toBe(200);
    expect((await want(own, address())).body.error).toBe('rate_limited');
  });

  it('cannot have that of another person, which only the one who reads it learns; nor a login email', async () => {
    const [taken, own] = [address(), address()];
    const [other, { login_email }] = [await student(taken), await student(own)];
    const key = await session(login_email);
    expect((await want(key, taken)).status).toBe(200);
    expect((await confirm(key, await codeTo(taken))).body.error).toBe('conflict');
    expect((await want(key, other.login_email)).body.error).toBe('validation_error');
  });
});

it('an address that a key maps holds at once: the sessions end, and the old address is notified', async () => {
  const [old, next] = [address(), address()];
  const { id, login_email } = await student(old);
  const own = await session(login_email);
  await call('PATCH', `/students/${id}`, { personal_email: old });
  expect(await isLive(own)).toBe(true);
  await call('PATCH', `/students/${id}`, { personal_email: next });
  expect(await isLive(own)).toBe(false);
  expect((await emailTo(old, 'has changed')).text).toContain(login_email);
  await requestCode(api, login_email);
  expect(recipientsOf(await codeEmailFor(api, login_email, 2))).toEqual([next]);
});

it('the email of a first profile holds at once, that of a later one once it is confirmed', async () => {
  const { login_email } = (await call('POST', '/faculty', { full_name: 'Grace Hopper' })).data;
  const own = await session(login_email);
  const complete = (email: string) => api.platform('POST', '/me/profile', { key: own, body: { employee_id: 'E-1', department: 'Mathematics', position: 'Lecturer', email } });
  const [first, later] = [address(), address()];
  expect((await want(own, first)).body.error).toBe('conflict');
  for (const email of [first, later]) expect((await complete(email)).status).toBe(200);
  await requestCode(api, login_email);
  expect(recipientsOf(await codeEmailFor(api, login_email, 2))).toEqual([first]);
  expect((await confirm(own, await codeTo(later))).status).toBe(200);
  await requestCode(api, login_email);
  expect(recipientsOf(await codeEmailFor(api, login_email, 3))).toEqual([later]);
});
