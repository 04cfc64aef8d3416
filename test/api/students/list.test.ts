import { idsIn, errorSummary } from '../../support/responses';
import type { TestInstitution } from '../../support/api';
import { inDays } from '../../support/time';
import { apiFixture } from '../../support/apiFixture';
import { recordedStudentCalls } from '../../support/studentCalls';

const fixture = apiFixture();
const { api, institution, sql } = fixture;
const { call, leaks, calls, callsOf, newSecretEmail } = recordedStudentCalls(fixture);

afterEach(async () => {
  expect(await leaks()).toEqual([]);
});

const idsOf = ({ data }: { data: { items: { id: string }[] } }): string[] => data.items.map(({ id }) => id);
const listed = async (query: Record<string, string | number>) => idsOf(await calls.list(query));

async function created(count: number, body: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth += 1) ids.push((await calls.create(body)).data.id);
  return ids;
}

const group = async ({ apiKey }: TestInstitution, student_ids: readonly string[]): Promise<string> =>
  (await call('POST', '/groups', { key: apiKey, body: { name: 'Class', student_ids } })).data.id;

describe('a student in a path', () => {
  // Contract: requests.person-id.id-or-login-email, students.get.id-or-login-email, students.get.response
  it('is found by id, by login email, by its encoded form and in any case', async () => {
    const { data: student } = await calls.create({ full_name: 'Grace' });
    for (const reference of [student.id, student.login_email, encodeURIComponent(student.login_email), student.login_email.toUpperCase()]) {
      const { status, data } = await call('GET', `/students/${reference}`, { key: institution.apiKey });
      expect([status, data]).toEqual([200, student]);
    }
  });

  it('a 404 says what a student is found by', async () => {
    const institution = await api.institution();
    for (const [method, body] of [['GET'], ['PATCH', { full_name: 'Ada' }]] as const) {
      const answer = await api.call(method, '/students/SIS-1042', { key: institution.apiKey, ...(body === undefined ? {} : { body }) });
      expect([answer.status, answer.body.message]).toEqual([404, 'No such student in this institution. id is stu_… or a login email; GET /v1/students?student_id= finds it by your identifier.']);
    }
  });

  it('unknown, of another institution, or no student answers 404 to every operation', async () => {
    const otherInstitution = await api.institution();
    const { data: foreign } = await callsOf(otherInstitution).create();
    const unknown = ['stu_unknown', foreign.id, foreign.login_email, institution.adminId, institution.adminLoginEmail, `nobody@${institution.loginDomain}`, 'x'.repeat(350)];
    for (const reference of unknown) {
      const answers = [
        await calls.get(reference),
        await calls.patch(reference, { full_name: 'X' }),
        await calls.suspend(reference),
        await calls.reactivate(reference),
      ];
      expect(answers.map(errorSummary)).toEqual(Array(4).fill([404, 'not_found']));
    }
    expect((await callsOf(otherInstitution).get(foreign.id)).data).toEqual(foreign);
  });

  it('shows the license as expired as soon as its time has passed', async () => {
    const { data } = await calls.create();
    await sql('UPDATE licenses SET expires_at = $2 WHERE id = $1', [data.license.id, inDays(-1)]);
    expect((await calls.get(data.id)).data.license.status).toBe('expired');
    expect((await calls.list()).data.items[0].license.status).toBe('expired');
  });
});

describe('the filters of the list', () => {
  // Contract: students.list.query
  it('email finds the student of that login email, in any case', async () => {
    const { data } = await calls.create();
    await calls.create();
    expect(await listed({ email: data.login_email })).toEqual([data.id]);
    expect(await listed({ email: data.login_email.toUpperCase() })).toEqual([data.id]);
  });

  it('email does not look at personal emails, nor at people who are no students', async () => {
    const personal_email = newSecretEmail();
    await calls.create({ personal_email });
    expect(await listed({ email: personal_email })).toEqual([]);
    expect(await listed({ email: institution.adminLoginEmail })).toEqual([]);
  });

  // Contract: students.fields.status, students.list.query
  it('status finds exactly those in it', async () => {
    const [pending, active, suspended] = await created(3);
    await sql("UPDATE users SET status = 'active' WHERE id = $1", [active]);
    await calls.suspend(String(suspended));
    expect([await listed({ status: 'pending' }), await listed({ status: 'active' }), await listed({ status: 'suspended' })]).toEqual([
      [pending], [active], [suspended],
    ]);
  });

  // Contract: students.student-id.filter, students.list.query, idempotency.provisioning.check-by-student-id
  it('student_id finds all students with exactly this value', async () => {
    const same = await created(3, { student_id: 'S-7' });
    await created(1, { student_id: 's-7' });
    await created(1);
    expect(await listed({ student_id: 'S-7' })).toEqual(same.reverse());
    expect(await listed({ student_id: ' S-7 ' })).toEqual(same);
    expect(await listed({ student_id: 'S%' })).toEqual([]);
  });

  // Contract: students.list.query
  it('group_id finds the members of the group', async () => {
    const [first, second, third] = await created(3);
    const id = await group(institution, [String(first), String(third)]);
    await group(institution, [String(second)]);
    expect(await listed({ group_id: id })).toEqual([third, first]);
  });

  it('an unknown group, and another institution\'s, is an empty list', async () => {
    const otherInstitution = await api.institution();
    const foreign = await group(otherInstitution, [(await callsOf(otherInstitution).create()).data.id]);
    await created(1);
    for (const group_id of ['grp_unknown', foreign]) expect((await calls.list({ group_id })).data).toMatchObject({ items: [], total: 0, has_more: false });
  });

  it('together narrow the list', async () => {
    const [first, second] = await created(2, { student_id: 'S-1' });
    await calls.suspend(String(first));
    const id = await group(institution, [String(first), String(second)]);
    expect(await listed({ student_id: 'S-1', status: 'pending', group_id: id })).toEqual([second]);
  });

  it("never show another institution's students", async () => {
    const { data } = await callsOf(await api.institution()).create({ student_id: 'S-1' });
    for (const query of [{}, { student_id: 'S-1' }, { email: data.login_email }, { status: 'pending' }]) expect(await listed(query)).toEqual([]);
  });

  it.each<[string, Record<string, string | number>, string[]]>([
    ['an unknown status', { status: 'lapsed' }, ['status']],
    ['a status in capitals', { status: 'Pending' }, ['status']],
    ['an empty filter', { email: '', student_id: '', group_id: '' }, ['email', 'group_id', 'student_id']],
    ['control characters', { student_id: 'a\u0000b' }, ['student_id']],
    ['an identifier of over 100 characters', { student_id: 'x'.repeat(101) }, ['student_id']],
    ['unknown parameters', { name: 'Ada', user_type: 'x' }, ['name', 'user_type']],
    ['page 0', { page: 0 }, ['page']],
    ['a page that is no number', { page: 'two' }, ['page']],
    ['part of a page', { page: 1.5 }, ['page']],
    ['limit 0', { limit: 0 }, ['limit']],
    ['limit 201', { limit: 201 }, ['limit']],
    ['several at once', { page: -1, limit: 'all', status: 'x' }, ['limit', 'page', 'status']],
  ])('refuse %s', async (_, query, paths) => {
    expect(errorSummary(await calls.list(query))).toEqual([422, 'validation_error', paths]);
  });

  it('refuse a parameter given twice', async () => {
    const answer = await call('GET', '/students?status=pending&status=active', { key: institution.apiKey });
    expect(errorSummary(answer)).toEqual([422, 'validation_error', ['status']]);
  });
});

describe('paging', () => {
  // Contract: students.list.query
  it('has 50 a page by default, from page 1, and takes 200', async () => {
    expect((await calls.list()).data).toEqual({ items: [], page: 1, limit: 50, total: 0, has_more: false, next_cursor: null });
    expect((await calls.list({ limit: 200 })).data.limit).toBe(200);
  });

  // Contract: students.list.query, students.list.response
  it('walks newest first through everyone once, with an exact total and has_more on all but the last page', async () => {
    const ids = await created(7);
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push((await calls.list({ page, limit: 3 })).data);
    expect(pages.map(({ items, total, has_more }) => [items.length, total, has_more])).toEqual([
      [3, 7, true], [3, 7, true], [1, 7, false], [0, 7, false],
    ]);
    expect(pages.flatMap(({ items }) => idsIn(items))).toEqual(ids.reverse());
  });

  it('that ends exactly with a page has no more', async () => {
    await created(4);
    expect((await calls.list({ page: 2, limit: 2 })).data).toMatchObject({ total: 4, has_more: false });
  });

  it('is stable among students created in the same millisecond: by id, newest first', async () => {
    const ids = await created(6);
    await sql('UPDATE users SET created_at = $2 WHERE institution_id = $1', [institution.id, new Date()]);
    const pages = await Promise.all([1, 2, 3].map((page) => calls.list({ page, limit: 2 })));
    expect(pages.flatMap(idsOf)).toEqual(ids.sort().reverse());
  });

  it('far beyond the end is an empty page', async () => {
    await created(1);
    expect((await calls.list({ page: 1_000_000, limit: 200 })).data).toMatchObject({ items: [], total: 1, has_more: false });
  });

  it('counts what the filters leave', async () => {
    await created(3, { student_id: 'S-1' });
    await created(2);
    expect((await calls.list({ student_id: 'S-1', limit: 2 })).data).toMatchObject({ total: 3, has_more: true });
  });
});
