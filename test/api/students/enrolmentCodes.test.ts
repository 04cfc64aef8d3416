import { apiFixture } from '../../support/apiFixture';
import { codeEmailFor, codeEmailsFor, codeIn, recipientsOf, requestCode, signIn } from '../../support/signInCodes';

const { api, institution, call, sql } = apiFixture();

interface Student {
  id: string;
  login_email: string;
}

const student = async (body: object = {}): Promise<Student> => (await call('POST', '/students', body)).data;
const codeOf = async ({ id }: Student): Promise<string> => (await call('POST', `/students/${id}/enrolment-code`)).data.code;
const requireCodes = async (required = true): Promise<void> => {
  expect((await call('PUT', '/institution/config', { require_enrolment_code: required })).data.require_enrolment_code).toBe(required);
};

let named = 0;
const ask = async ({ login_email }: Student, over: object = {}): Promise<string> => {
  const personal_email = `enrolled${(named += 1)}@mail.example`;
  expect((await requestCode(api, login_email, { personal_email, ...over })).status).toBe(200);
  return personal_email;
};

/** A later request has arrived, so the earlier one is done: a worker takes requests in their order. */
async function nothingIsSentTo({ login_email }: Student): Promise<void> {
  const other = await student({ personal_email: `other${(named += 1)}@mail.example` });
  await requestCode(api, other.login_email);
  await codeEmailFor(api, other.login_email);
  expect(await codeEmailsFor(api, login_email)).toEqual([]);
}

describe('an enrolment code', () => {
  it('has 10 characters that are not taken for each other, is valid for 30 days, and is kept as an HMAC alone', async () => {
    const { id, login_email } = await student();
    const { data } = await call('POST', `/students/${login_email}/enrolment-code`);
    expect(data).toEqual({ id, login_email, code: expect.stringMatching(/^[346789ACDEFHJKMNPRTVWXY]{10}$/), expires_at: expect.any(String) });
    const [row] = await sql<{ kept: string; days: number }>(
      'SELECT e::text AS kept, extract(epoch FROM expires_at - created_at)::float8 / 86400 AS days FROM enrolment_codes e WHERE user_id = $1',
      [id],
    );
    expect(row?.days).toBe(30);
    expect(row?.kept).not.toContain(data.code);
    expect(JSON.stringify((await call('GET', `/students/${id}`)).data)).not.toContain(data.code);
  });

  it('is a conflict for a student with a mapped personal email, and not_found for nobody', async () => {
    const { id } = await student({ personal_email: 'has.one@mail.example' });
    expect((await call('POST', `/students/${id}/enrolment-code`)).body.error).toBe('conflict');
    expect((await call('POST', '/students/student9.00000000@north.example/enrolment-code')).body.error).toBe('not_found');
  });

  it('is made for up to 200 students at once; those who get none do not affect the others', async () => {
    const [one, two, mapped] = [await student(), await student(), await student({ personal_email: 'mapped@mail.example' })];
    const { data } = await call('POST', '/students/enrolment-codes', { student_ids: [one.id, mapped.id, two.login_email, 'stu_unknown', one.login_email] });
    expect([data.created, data.failed]).toEqual([2, 3]);
    expect(data.results.map((result: { index: number; id?: string; error?: string }) => [result.index, result.id ?? result.error])).toEqual([
      [0, one.id], [1, 'conflict'], [2, two.id], [3, 'not_found'], [4, 'conflict'],
    ]);
    await requireCodes();
    await ask(one, { enrolment_code: data.results[0].code });
    await codeEmailFor(api, one.login_email);
    const tooMany = await call('POST', '/students/enrolment-codes', { student_ids: Array.from({ length: 201 }, () => one.id) });
    expect(tooMany.body.error).toBe('validation_error');
  });
});

describe('where the institution requires enrolment codes', () => {
  beforeEach(() => requireCodes());

  it('naming an address without the code, or with a wrong one, is answered 200 and nothing is sent', async () => {
    const one = await student();
    const other = await student();
    await codeOf(one);
    for (const over of [{}, { enrolment_code: 'AAAAAAAAAA' }, { enrolment_code: await codeOf(other) }]) await ask(one, over);
    await nothingIsSentTo(one);
  });

  it('naming an address with the code, in any case and with hyphens, gets a sign-in code there; the sign-in maps it', async () => {
    const one = await student();
    const code = await codeOf(one);
    const address = await ask(one, { enrolment_code: `${code.slice(0, 5)}-${code.slice(5)}`.toLowerCase() });
    const mail = await codeEmailFor(api, one.login_email);
    expect(recipientsOf(mail)).toEqual([address]);
    expect((await signIn(api, one.login_email, codeIn(mail))).status).toBe(200);
    expect((await call('GET', `/students/${one.id}`)).data.personal_email_mapped).toBe(true);
    const [row] = await sql<{ used: boolean }>('SELECT used_at IS NOT NULL AS used FROM enrolment_codes WHERE user_id = $1', [one.id]);
    expect(row?.used).toBe(true);
  });

  it('five wrong tries make the code invalid', async () => {
    const one = await student();
    const code = await codeOf(one);
    for (let nth = 0; nth < 5; nth += 1) await ask(one, { enrolment_code: 'AAAAAAAAAA' });
    await nothingIsSentTo(one);
    await ask(one, { enrolment_code: code });
    await nothingIsSentTo(one);
  });

  it('a new code replaces the former, also where a sign-in code was sent with it', async () => {
    const one = await student();
    await ask(one, { enrolment_code: await codeOf(one) });
    const mail = await codeEmailFor(api, one.login_email);
    const newer = await codeOf(one);
    expect((await signIn(api, one.login_email, codeIn(mail))).status).toBe(401);
    await ask(one, { enrolment_code: newer });
    expect((await signIn(api, one.login_email, codeIn(await codeEmailFor(api, one.login_email, 2)))).status).toBe(200);
  });

  it('an expired code is worth nothing', async () => {
    const one = await student();
    const code = await codeOf(one);
    await sql("UPDATE enrolment_codes SET expires_at = now() - interval '1 ms' WHERE user_id = $1", [one.id]);
    await ask(one, { enrolment_code: code });
    await nothingIsSentTo(one);
  });

  it('a sign-in code that was sent before codes were required maps nothing', async () => {
    await requireCodes(false);
    const one = await student();
    await ask(one);
    const mail = await codeEmailFor(api, one.login_email);
    await requireCodes();
    expect((await signIn(api, one.login_email, codeIn(mail))).status).toBe(401);
    expect((await call('GET', `/students/${one.id}`)).data.personal_email_mapped).toBe(false);
  });

  it('a student with a mapped personal email needs none', async () => {
    const one = await student({ personal_email: 'known@mail.example' });
    await requestCode(api, one.login_email);
    expect((await signIn(api, one.login_email, codeIn(await codeEmailFor(api, one.login_email)))).status).toBe(200);
  });
});

describe('where the institution requires none', () => {
  it('is off by default, and naming an address is enough', async () => {
    expect((await call('GET', '/institution/config')).data.require_enrolment_code).toBe(false);
    const one = await student();
    await ask(one);
    await codeEmailFor(api, one.login_email);
  });

  it('beyond 20 accounts claimed within a minute from one client address nothing is sent, and the audit log says so once; other addresses go on', async () => {
    const students = [];
    for (let nth = 0; nth < 23; nth += 1) students.push(await student());
    const from = (address: string) => ({ 'X-Forwarded-For': `198.51.100.9, ${address}` });
    const claim = ({ login_email }: Student, address: string) =>
      api.platform('POST', '/sign-in/codes', { key: undefined, headers: from(address), body: { login_email, personal_email: `claim${(named += 1)}@mail.example` } });
    for (const one of students.slice(0, 20)) {
      await claim(one, '203.0.113.7');
      await codeEmailFor(api, one.login_email);
    }
    const [refused, refusedToo, elsewhere] = students.slice(20);
    if (refused === undefined || refusedToo === undefined || elsewhere === undefined) throw new Error('23 students were made');
    for (const one of [refused, refusedToo]) expect((await claim(one, '203.0.113.7')).status).toBe(200);
    await claim(elsewhere, '203.0.113.8');
    await codeEmailFor(api, elsewhere.login_email);
    await nothingIsSentTo(refused);
    await nothingIsSentTo(refusedToo);
    const audited = await sql<{ actor_kind: string }>("SELECT actor_kind FROM audit_log WHERE institution_id = $1 AND operation = 'limitAccountClaims'", [institution.id]);
    expect(audited).toEqual([{ actor_kind: 'system' }]);
  });
});
