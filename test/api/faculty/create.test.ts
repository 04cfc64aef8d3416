import { errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { eventsDuring } from '../../support/events';
import { inDays } from '../../support/time';

const { api, institution, sql, call } = apiFixture();

const create = (body: object) => call('POST', '/faculty', body);
const days = (moment: string): number => Math.round((Date.parse(moment) - Date.now()) / 86_400_000);

describe('a new faculty member', () => {
  // Contract: service.purpose.provision-people, faculty.fields.id, faculty.login-email.format, faculty.fields.full-name, faculty.fields.faculty-id
  // Contract: licenses.types.student-and-faculty, faculty.create.body, faculty.create.response
  it('is active, with a login email, an incomplete profile and a license of a year', async () => {
    const { status, data } = await create({ full_name: '  Grace Hopper ', faculty_id: 'HR-204' });
    expect([status, data]).toEqual([
      200,
      {
        id: expect.stringMatching(/^fac_[0-9a-z]{26}$/),
        login_email: expect.stringMatching(new RegExp(`^faculty2\\.[0-9a-f]{8}@${institution.loginDomain}$`)),
        full_name: 'Grace Hopper',
        faculty_id: 'HR-204',
        status: 'active',
        is_admin: false,
        profile_completed: false,
        license: {
          id: expect.stringMatching(/^lic_/),
          status: 'active',
          license_type: 'faculty',
          expires_at: expect.any(String),
          is_lifetime: false,
        },
        erased_at: null,
      },
    ]);
    expect(days(data.license.expires_at)).toBe(365);
    expect((await call('GET', `/faculty/${data.id}`)).data).toEqual(data);
  });

  // Contract: faculty.license.devices, limits.devices.faculty-3
  it('may use 3 devices', async () => {
    const { data } = await create({ full_name: 'Grace' });
    const license = await call('GET', `/licenses/${data.license.id}`);
    expect(license.data).toMatchObject({ max_activations: 3, user: { user_id: data.id, login_email: data.login_email } });
  });

  // Contract: faculty.create.body
  it('has a license of as many days as wanted', async () => {
    for (const license_days of [1, 3650]) expect(days((await create({ full_name: 'Grace', license_days })).data.license.expires_at)).toBe(license_days);
  });

  it('may carry the identifier of another, or none', async () => {
    const created = [await create({ full_name: 'a', faculty_id: 'HR-1' }), await create({ full_name: 'b', faculty_id: 'HR-1' }), await create({ full_name: 'c', faculty_id: null })];
    expect(created.map(({ data }) => data.faculty_id)).toEqual(['HR-1', 'HR-1', null]);
  });

  // Contract: events.faculty-created, events.license-generated
  it('emits faculty.created and license.generated', async () => {
    let created: unknown;
    const events = await eventsDuring(api, institution, async () => {
      created = (await create({ full_name: 'Grace' })).data;
    });
    const { id, login_email, license } = Object(created);
    expect(events).toEqual([
      { type: 'faculty.created', data: { faculty_id: id, login_email, status: 'active' } },
      { type: 'license.generated', data: { license_id: license.id, license_type: 'faculty', user_id: id, expires_at: license.expires_at } },
    ]);
  });

  // Contract: faculty.create.body
  it.each<[string, object, string[]]>([
    ['no name', {}, ['full_name']],
    ['a null name', { full_name: null }, ['full_name']],
    ['a blank name', { full_name: '  ' }, ['full_name']],
    ['a name of 201 characters, an identifier of 101', { full_name: 'x'.repeat(201), faculty_id: 'x'.repeat(101) }, ['faculty_id', 'full_name']],
    ['control characters', { full_name: 'a\nb', faculty_id: 'a\u0000' }, ['faculty_id', 'full_name']],
    ['a license of no day', { full_name: 'a', license_days: 0 }, ['license_days']],
    ['a license of over ten years', { full_name: 'a', license_days: 3651 }, ['license_days']],
    ['fields that the service sets, and unknown ones', { full_name: 'a', id: 'fac_1', status: 'active', is_admin: true, personal_email: 'a@b.example' }, ['id', 'is_admin', 'personal_email', 'status']],
  ])('with %s is refused, and nobody is created', async (_, body, paths) => {
    expect(errorSummary(await create(body))).toEqual([422, 'validation_error', paths]);
    expect((await call('GET', '/faculty')).data.total).toBe(1);
  });
});

it('twenty faculty members created at once have the numbers after the admin, each once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create({ full_name: 'Grace' })));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const numbers = answers.map(({ data }) => Number(/^faculty(\d+)\./.exec(data.login_email)?.[1]));
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
});

it('the license of a faculty member is shown as expired as soon as its time has passed', async () => {
  const { data } = await create({ full_name: 'Grace' });
  await sql('UPDATE licenses SET expires_at = $2 WHERE id = $1', [data.license.id, inDays(-1)]);
  expect((await call('GET', `/faculty/${data.id}`)).data.license.status).toBe('expired');
  expect((await call('GET', '/faculty')).data.items[0].license.status).toBe('expired');
});
