import { startTestApi, type TestApi, type TestInstitution } from '../support/api';

let api: TestApi;
let north: TestInstitution;

beforeAll(async () => {
  api = await startTestApi();
  north = await api.institution();
});

afterAll(() => api.stop());

const create = (body: object = {}) => api.call('POST', '/students', { key: north.apiKey, body });

describe('creating a student', () => {
  it('answers the record with a generated login email and a license of 365 days', async () => {
    const { status, data } = await create({ full_name: 'Ada Lovelace', student_id: 'S-1' });
    expect(status).toBe(200);
    expect(data.login_email).toMatch(new RegExp(`^student\\d+\\.[0-9a-f]{8}@${north.loginDomain}$`));
    expect(data).toMatchObject({
      email: data.login_email,
      user_type: 'institution_student',
      full_name: 'Ada Lovelace',
      student_id: 'S-1',
      status: 'pending',
      personal_email_mapped: false,
      license: { status: 'active', license_type: 'student', is_lifetime: false },
    });
    const days = (Date.parse(data.license.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(365, 1);
  });

  it('never returns the personal email', async () => {
    const { data, body } = await create({ personal_email: 'Planted.Secret@example.org' });
    expect(data.personal_email_mapped).toBe(true);
    expect(JSON.stringify(body).toLowerCase()).not.toContain('planted.secret');
  });

  it('refuses a personal email that another person of the institution has mapped', async () => {
    await create({ personal_email: 'twice@example.org' });
    const { status, body } = await create({ personal_email: 'TWICE@example.org' });
    expect(status).toBe(409);
    expect(body.error).toBe('conflict');
  });

  it('names every problem of a bad body', async () => {
    const { status, body } = await create({ full_name: 7, license_days: 0, shoe_size: 4 });
    expect(status).toBe(422);
    expect(body.error).toBe('validation_error');
    expect(body.issues.map((issue: { path: string }) => issue.path).sort()).toEqual(['full_name', 'license_days', 'shoe_size']);
  });
});

describe('a student in a path', () => {
  it('is found by id, by login email, by its encoded form and in any case', async () => {
    const { data: student } = await create({ full_name: 'Grace' });
    for (const reference of [student.id, student.login_email, encodeURIComponent(student.login_email), student.login_email.toUpperCase()]) {
      const { status, data } = await api.call('GET', `/students/${reference}`, { key: north.apiKey });
      expect([status, data?.id]).toEqual([200, student.id]);
    }
  });

  it('of another institution answers 404 not_found', async () => {
    const { data: student } = await create();
    const south = await api.institution();
    const { status, body } = await api.call('GET', `/students/${student.id}`, { key: south.apiKey });
    expect([status, body.error]).toEqual([404, 'not_found']);
  });
});
