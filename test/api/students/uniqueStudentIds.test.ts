import { apiFixture } from '../../support/apiFixture';
import { existing, setUniqueStudentIds, takenBy } from '../../support/uniqueStudentIds';

const fixture = apiFixture();
const { api, institution, call, sql } = fixture;

const setUnique = (on: boolean) => setUniqueStudentIds(fixture, on);
const create = async (student_id: string | null, body: object = {}) => {
  const response = await call('POST', '/students', { student_id, ...body });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
  return response.data;
};
const count = async (): Promise<number> => (await call('GET', '/students?limit=1')).data.total;

describe('turning unique_student_ids on', () => {
  it('is shown by PUT, by GET and in the portal; a PUT without it turns it off', async () => {
    const settings = async () => (await api.platform('GET', `/institutions/${institution.id}/settings`)).data.config.unique_student_ids;
    expect((await call('GET', '/institution/config')).data.unique_student_ids).toBe(false);
    expect((await setUnique(true)).data.unique_student_ids).toBe(true);
    expect([(await call('GET', '/institution/config')).data.unique_student_ids, await settings()]).toEqual([true, true]);
    expect((await call('PUT', '/institution/config', {})).data.unique_student_ids).toBe(false);
    expect([(await call('GET', '/institution/config')).data.unique_student_ids, await settings()]).toEqual([false, false]);
  });

  it('is a conflict that names the duplicated student_ids, and changes nothing of the config', async () => {
    for (const id of ['S-1', 'S-1', 'S 2 "quoted"', 'S 2 "quoted"', 'S-3', null, null]) await create(id);
    const { status, body } = await call('PUT', '/institution/config', { unique_student_ids: true, lms: { provider: 'moodle' } });
    expect([status, body.error, body.student_ids.toSorted()]).toEqual([409, 'conflict', ['S 2 "quoted"', 'S-1']]);
    expect(body.message).toContain('"S-1"');
    expect(body.message).toContain('"S 2 \\"quoted\\""');
    expect(body.message).not.toContain('and more');
    expect((await call('GET', '/institution/config')).data).toMatchObject({ unique_student_ids: false, lms: {} });
  });

  it('names 20 of more duplicates, each as long as it may be, in a message of at most 4 KB', async () => {
    const ids = Array.from({ length: 21 }, (_, nth) => `${nth}-`.padEnd(100, '"'));
    for (const id of ids) for (let times = 0; times < 2; times += 1) await create(id);
    const { body } = await setUnique(true);
    expect(body.student_ids).toHaveLength(20);
    expect(ids).toEqual(expect.arrayContaining(body.student_ids));
    expect(body.message).toContain('" and more.');
    expect(body.message.length).toBeLessThan(4_500);
  });

  it('succeeds once the duplicates have got identifiers of their own, or none', async () => {
    const [, second, third] = [await create('S-1'), await create('S-1'), await create('S-1')];
    expect((await setUnique(true)).status).toBe(409);
    await call('PATCH', `/students/${second.id}`, { student_id: 'S-2' });
    await call('PATCH', `/students/${third.id}`, { student_id: null });
    expect((await setUnique(true)).data.unique_student_ids).toBe(true);
  });

  it('takes students of other kinds and other institutions for no duplicates', async () => {
    await create('S-1');
    await call('POST', '/faculty', { full_name: 'Ada', faculty_id: 'S-1' });
    await call('POST', '/faculty', { full_name: 'Grace', faculty_id: 'S-1' });
    const other = await api.institution();
    await call('POST', '/students', { student_id: 'S-1' }, other);
    await call('POST', '/students', { student_id: 'S-1' }, other);
    expect((await setUnique(true)).status).toBe(200);
    expect((await call('POST', '/students', { student_id: 'S-1' }, other)).status).toBe(200);
    expect((await call('POST', '/faculty', { full_name: 'Alan', faculty_id: 'S-1' })).status).toBe(200);
  });

  it('again is no change, and off frees: the same student_id may be used again, also after it was on before', async () => {
    await create('S-1');
    expect([(await setUnique(true)).status, (await setUnique(true)).status]).toEqual([200, 200]);
    await create('S-2');
    expect((await call('POST', '/students', { student_id: 'S-2' })).status).toBe(409);
    await setUnique(false);
    const again = [await create('S-1'), await create('S-2')];
    expect((await setUnique(true)).body.student_ids).toEqual(['S-1', 'S-2']);
    for (const { id } of again) await call('PATCH', `/students/${id}`, { student_id: null });
    expect((await setUnique(true)).status).toBe(200);
    for (const student_id of ['S-1', 'S-2']) expect((await call('POST', '/students', { student_id })).status).toBe(409);
  });
});

describe.each([['created before the setting was on', false], ['created while it is on', true]])('a student %s', (_when, isFirstOn) => {
  async function firstStudent(student_id: string, body: object = {}) {
    if (isFirstOn) await setUnique(true);
    const first = await create(student_id, body);
    if (!isFirstOn) await setUnique(true);
    return first;
  }

  it('has a student_id that POST /students refuses to another, naming who has it; nothing is created, no number is used', async () => {
    const first = await firstStudent('S-1', { personal_email: 'ada@example.org' });
    // Also where the email is the same, as of a call that is sent again: who it is says more.
    for (const body of [{}, { personal_email: 'ada@example.org' }, { full_name: 'Somebody else' }]) {
      const { status, body: refused } = await call('POST', '/students', { student_id: 'S-1', ...body });
      expect([status, refused]).toEqual([409, { success: false, ...takenBy(first) }]);
    }
    expect(await count()).toBe(1);
    expect((await create('S-2')).login_email).toMatch(/^student2\./);
  });

  it('has it by its exact text: case and what is within count, blanks around it do not', async () => {
    await firstStudent('S-1a');
    for (const other of ['s-1a', 'S-1A', 'S -1a', 'S-1á', 'S-1a.']) await create(other);
    expect((await call('POST', '/students', { student_id: '  S-1a ' })).status).toBe(409);
  });

  it('leaves any number of students without one', async () => {
    await firstStudent('S-1');
    for (const body of [{}, { student_id: null }, { student_id: null }, {}]) expect((await call('POST', '/students', body)).status).toBe(200);
  });

  it('has it against a PATCH too, which changes nothing then; a PATCH to the own one is none', async () => {
    const first = await firstStudent('S-1');
    const other = await create('S-2', { full_name: 'Grace' });
    const { status, body } = await call('PATCH', `/students/${other.login_email}`, { student_id: 'S-1', full_name: 'Ada', status: 'suspended' });
    expect([status, body]).toEqual([409, { success: false, ...takenBy(first) }]);
    expect((await call('GET', `/students/${other.id}`)).data).toEqual(other);
    expect((await call('PATCH', `/students/${first.id}`, { student_id: 'S-1', full_name: 'Ada' })).status).toBe(200);
  });

  it('frees it with another one, or none', async () => {
    const first = await firstStudent('S-1');
    await call('PATCH', `/students/${first.id}`, { student_id: 'S-2' });
    const second = await create('S-1');
    expect((await call('POST', '/students', { student_id: 'S-2' })).body.existing).toEqual(existing(first));
    await call('PATCH', `/students/${first.id}`, { student_id: null });
    expect((await call('PATCH', `/students/${second.id}`, { student_id: 'S-2' })).status).toBe(200);
    await create('S-1');
  });

  it('keeps it while suspended, and is reactivated with it', async () => {
    const first = await firstStudent('S-1');
    await call('POST', `/students/${first.id}/suspend`);
    expect((await call('POST', '/students', { student_id: 'S-1' })).body.existing).toEqual(existing(first));
    expect((await call('POST', `/students/${first.id}/reactivate`)).status).toBe(200);
    expect((await call('PATCH', `/students/${first.id}`, { personal_email: 'ada@example.org' })).status).toBe(200);
  });

  it('has it against the release before, which writes without looking', async () => {
    const first = await firstStudent('S-1');
    const other = await create('S-2');
    const write = (text: string, values: unknown[]) => expect(sql(text, values)).rejects.toMatchObject({ code: '23505', constraint: 'users_unique_student_id' });
    await write(
      `INSERT INTO users (id, institution_id, kind, external_id, status, created_at, updated_at) VALUES ('stu_old', $1, 'student', 'S-1', 'pending', now(), now())`,
      [institution.id],
    );
    await write('UPDATE users SET full_name = $3, external_id = $4, updated_at = $5 WHERE institution_id = $1 AND id = $2', [institution.id, other.id, 'Ada', 'S-1', new Date()]);
    expect((await call('GET', '/students', undefined)).data.items.filter(({ student_id }: { student_id: string }) => student_id === 'S-1')).toEqual([first]);
  });
});
