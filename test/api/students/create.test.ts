import { idsIn, errorSummary } from '../../support/responses';
import { eventsDuring } from '../../support/events';
import { apiFixture } from '../../support/apiFixture';
import { recordedStudentCalls } from '../../support/studentCalls';

const fixture = apiFixture();
const { api, institution } = fixture;
const { call, leaks, calls, newSecretEmail, callsOf } = recordedStudentCalls(fixture);

afterEach(async () => {
  expect(await leaks()).toEqual([]);
});

const invalid = (...paths: string[]) => [422, 'validation_error', paths];

describe('creating a student', () => {
  // Contract: service.purpose.provision-people, students.fields.id, students.fields.email-equals-login-email, students.login-email.format
  // Contract: students.fields.user-type, students.fields.student-id, students.fields.license, students.provisioning.license-days-default
  // Contract: licenses.types.student-and-faculty, students.states.created-pending, students.create.response, limits.license-days.default-365
  it('answers the record with a generated login email and a license of 365 days', async () => {
    const { status, data } = await calls.create({ full_name: 'Ada Lovelace', student_id: 'S-1' });
    expect(status).toBe(200);
    expect(data.login_email).toMatch(new RegExp(`^student1\\.[0-9a-f]{8}@${institution.loginDomain}$`));
    expect(data).toEqual({
      id: expect.stringMatching(/^stu_[0-9a-z]{26}$/),
      email: data.login_email,
      login_email: data.login_email,
      user_type: 'institution_student',
      full_name: 'Ada Lovelace',
      student_id: 'S-1',
      status: 'pending',
      personal_email_mapped: false,
      license: {
        id: expect.stringMatching(/^lic_/),
        status: 'active',
        license_type: 'student',
        expires_at: expect.any(String),
        is_lifetime: false,
      },
      created_at: expect.any(String),
      updated_at: data.created_at,
      erased_at: null,
    });
    expect((Date.parse(data.license.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(365, 2);
    expect((await calls.get(data.id)).data).toEqual(data);
  });

  // Contract: students.provisioning.license-devices, limits.devices.student-2
  it('gives the license two devices', async () => {
    const { data } = await calls.create();
    const license = await call('GET', `/licenses/${data.license.id}`, { key: institution.apiKey });
    expect(license.data).toMatchObject({ max_activations: 2, user: { user_id: data.id, login_email: data.login_email } });
  });

  // Contract: students.full-name.optional, students.create.body
  it('needs nothing, and takes null for what may be null', async () => {
    for (const body of [{}, { full_name: null, student_id: null, personal_email: null }]) {
      const { status, data } = await calls.create(body);
      expect([status, data.full_name, data.student_id, data.personal_email_mapped]).toEqual([200, null, null, false]);
    }
  });

  it('trims names and identifiers', async () => {
    const { data } = await calls.create({ full_name: '\t Ada  Lovelace \n', student_id: ' S 1 ' });
    expect([data.full_name, data.student_id]).toEqual(['Ada  Lovelace', 'S 1']);
  });

  // Contract: students.create.body, limits.license-days.1-to-3650
  it.each([1, 3650])('grants a license of %d days', async (days) => {
    const { data } = await calls.create({ license_days: days });
    expect((Date.parse(data.license.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(days, 2);
  });

  // Contract: students.create.body, limits.license-days.1-to-3650
  it.each([0, -1, 3651, 1.5, '365', null, true, 1e300])('refuses license_days %p', async (days) => {
    expect(errorSummary(await calls.create({ license_days: days }))).toEqual(invalid('license_days'));
  });

  it('takes a name of 200 characters and an identifier of 100, and no longer ones', async () => {
    const longest = { full_name: 'ä'.repeat(200), student_id: 'x'.repeat(100) };
    expect((await calls.create(longest)).data).toMatchObject(longest);
    expect(errorSummary(await calls.create({ full_name: 'ä'.repeat(201), student_id: 'x'.repeat(101) }))).toEqual(invalid('full_name', 'student_id'));
  });

  it.each([
    ['NUL', 'a\u0000b'],
    ['a line break', 'a\nb'],
    ['a tab', 'a\tb'],
    ['DEL', 'a\u007fb'],
    ['NEL, a control character beyond ASCII', 'a\u0085b'],
    ['half a surrogate pair', 'a\ud800b'],
    ['nothing but spaces', '   '],
    ['no characters', ''],
    ['a number', 7],
    ['a list', ['Ada']],
  ])('refuses a name and an identifier that are or hold %s', async (_, text) => {
    expect(errorSummary(await calls.create({ full_name: text, student_id: text }))).toEqual(invalid('full_name', 'student_id'));
  });

  it.each(['no-at-sign', 'two@@example.org', '@example.org', 'a b@example.org', 'a@exam\u0000ple.org', '', 7, `${'a'.repeat(250)}@example.org`])(
    'refuses the personal email %p',
    async (email) => {
      const { status, body } = await calls.create({ personal_email: email });
      expect([status, body.error, new Set(body.issues.map(({ path }: { path: string }) => path))]).toEqual([
        422, 'validation_error', new Set(['personal_email']),
      ]);
    },
  );

  it('refuses the fields that the service sets, and unknown ones', async () => {
    const body = { id: 'stu_1', status: 'active', email: 'a@b.example', login_email: 'a@b.example', user_type: 'x', license: {}, shoe_size: 4 };
    expect(errorSummary(await calls.create(body))).toEqual(invalid(...Object.keys(body).sort()));
  });

  it('names every problem of a bad body at once', async () => {
    const body = { full_name: 7, license_days: 0, personal_email: 'x', shoe_size: 4 };
    expect(errorSummary(await calls.create(body))).toEqual(invalid('full_name', 'license_days', 'personal_email', 'shoe_size'));
  });

  it('that is refused creates nothing and takes no number', async () => {
    await calls.create({ license_days: 0 });
    expect((await calls.list()).data.total).toBe(0);
    expect((await calls.create()).data.login_email).toMatch(/^student1\./);
  });

  // Contract: students.student-id.filter, idempotency.provisioning.none, idempotency.provisioning.check-by-student-id
  it('without a key is not idempotent: the same identifier twice makes two students, and the filter finds both', async () => {
    const [first, second] = [await calls.create({ student_id: 'S-1' }), await calls.create({ student_id: 'S-1' })];
    const { data } = await calls.list({ student_id: 'S-1' });
    expect(idsIn(data.items)).toEqual([second.data.id, first.data.id]);
  });

  // Contract: students.creation.events, events.student-created, events.license-generated
  it('emits student.created and license.generated, and no mapping for a personal email given at once', async () => {
    let created;
    const events = await eventsDuring(api, institution, async () => {
      created = (await calls.create({ full_name: 'Ada', personal_email: newSecretEmail() })).data;
    });
    const { id, login_email, license } = Object(created);
    expect(events).toEqual([
      { type: 'student.created', data: { student_id: id, login_email, status: 'pending' } },
      { type: 'license.generated', data: { license_id: license.id, license_type: 'student', user_id: id, expires_at: license.expires_at } },
    ]);
  });

  it('needs students:write', async () => {
    const key = await api.keyFor(institution, ['students:read', 'faculty:write']);
    const { status, body } = await call('POST', '/students', { key, body: {} });
    expect([status, body.error, body.required, body.missing]).toEqual([403, 'insufficient_scope', ['students:write'], ['students:write']]);
  });
});

describe('a personal email given at creation', () => {
  // Contract: students.fields.personal-email-mapped, students.personal-email.write-only, students.create.body
  it('is mapped and never returned', async () => {
    const { data } = await calls.create({ personal_email: newSecretEmail() });
    expect(data.personal_email_mapped).toBe(true);
    expect((await calls.get(data.id)).data.personal_email_mapped).toBe(true);
    expect(data).not.toHaveProperty('personal_email');
  });

  it('is kept sealed: no column of the database holds it in the clear', async () => {
    const email = newSecretEmail();
    const { data } = await calls.create({ personal_email: email });
    const [row] = await api.api.domain.database.sql<{ row: string }>('SELECT u::text AS row FROM users u WHERE id = $1', [data.id]);
    expect(row?.row).toContain(data.id);
    expect(row?.row).not.toContain(email);
    expect(row?.row).not.toContain(Buffer.from(email).toString('hex'));
  });

  it('that another person of the institution has mapped is a conflict, in any case and with spaces around it', async () => {
    const email = newSecretEmail();
    await calls.create({ personal_email: email });
    const { status, body } = await calls.create({ personal_email: `  ${email.toUpperCase()} ` });
    expect([status, body.error]).toEqual([409, 'conflict']);
    expect((await calls.list()).data.total).toBe(1);
  });

  it('that another person has mapped is answered with what to do where it is the same student, of whom it says nothing', async () => {
    const email = newSecretEmail();
    const { data } = await calls.create({ personal_email: email, student_id: 'OLD-1' });
    const { body } = await calls.create({ personal_email: email, student_id: 'NEW-1' });
    expect(body.message).toBe(
      'personal_email is already used by another person in this institution. If it is the same student with a new student_id, ' +
        'find them by the old one (GET /v1/students?student_id=) and PATCH their student_id: see docs/syncing.md.',
    );
    for (const own of [data.id, data.login_email, 'OLD-1', email]) expect(JSON.stringify(body)).not.toContain(own);
  });

  it('may be mapped in another institution', async () => {
    const email = newSecretEmail();
    await calls.create({ personal_email: email });
    const otherInstitution = callsOf(await api.institution());
    expect((await otherInstitution.create({ personal_email: email })).status).toBe(200);
  });

  it('that ten callers bring at once is mapped once; the others are refused', async () => {
    const personal_email = newSecretEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, () => calls.create({ personal_email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect((await calls.list()).data.total).toBe(1);
  });
});

describe('creating twenty students at once', () => {
  it('succeeds for all, with the numbers 1 to 20, each once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => calls.create()));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const numbers = answers.map(({ data }) => Number(/^student(\d+)\./.exec(data.login_email)?.[1]));
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(20);
  });
});
