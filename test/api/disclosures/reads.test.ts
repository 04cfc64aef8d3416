import { apiFixture } from '../../support/apiFixture';
import { signInToConsole } from '../../support/console';
import { disclosuresOf, requestOf } from '../../support/disclosures';
import { eventually } from '../../support/eventually';
import { guardianSession, newGuardianEmail } from '../../support/guardians';
import { seedGuardian } from '../../support/seed/guardians';
import { seedSubmission } from '../../support/seed/submissions';

const { api, institution, call, listAt, sql, createStudents, createExam } = apiFixture();

const student = async (body: object = {}) => (await call('POST', '/students', body)).data;
const reads = (id: string) => disclosuresOf(api, institution, id);
const readsOfMany = (id: string) => disclosuresOf(api, institution, id, 'many');
const key = () => ({ kind: 'key', id: institution.keyId, name: 'test' });

describe('a read of a student', () => {
  it('is on record with the key, the operation and the request, within a minute of the read', async () => {
    const { id } = await student({ full_name: 'Ada Lovelace' });
    const before = Date.now();
    const read = await call('GET', `/students/${id}`);
    const [disclosure, ...others] = await reads(id);
    expect(others).toEqual([]);
    expect(disclosure).toEqual({
      id: expect.stringMatching(/^dsc_/), at: disclosure?.at, actor: key(), what: 'record', operation: 'getStudent', query: { id }, request_id: requestOf(read),
    });
    expect(Math.abs(Date.parse(disclosure?.at ?? '') - before)).toBeLessThan(60_000);
  });

  it('by login email is on record with their id, and without the address', async () => {
    const { id, login_email: email } = await student();
    await call('GET', `/students/${email.toUpperCase()}`);
    await call('GET', `/students/${email}/exams`);
    await listAt('/submissions', { student_id: email });
    await listAt('/students', { email });
    await listAt('/students', { email: `nobody@${institution.loginDomain}` });
    expect((await reads(id)).map(({ operation, query }) => [operation, query])).toEqual([
      ['getStudent', { id: null }], ['listStudentExams', { id: null }], ['listSubmissions', { student_id: null }], ['listStudents', { email: null }],
    ]);
    const rows = await sql('SELECT * FROM disclosures WHERE institution_id = $1', [institution.id]);
    expect(JSON.stringify(rows)).not.toContain('@');
  });

  it('by the identifier of the institution is on record, where it finds one person; of several it is a list', async () => {
    const { id } = await student({ student_id: 'SIS-1' });
    await listAt('/students', { student_id: 'SIS-1' });
    await listAt('/students', { student_id: 'SIS-0' });
    expect(await reads(id)).toMatchObject([{ what: 'record', operation: 'listStudents', query: { student_id: null } }]);
    await student({ student_id: 'SIS-1' });
    await listAt('/students', { student_id: 'SIS-1' });
    expect((await reads(id)).filter(({ operation }) => operation === 'listStudents')).toHaveLength(1);
    const { data: teacher } = await call('POST', '/faculty', { full_name: 'Grace Hopper', faculty_id: 'HR-1' });
    await listAt('/faculty', { faculty_id: 'HR-1' });
    const found = await eventually('the read of the teacher', async () => {
      const { data } = await call('GET', `/faculty/${String(teacher.id)}/disclosures`);
      return data.items.length > 0 && data.items;
    });
    expect(found).toMatchObject([{ what: 'record', operation: 'listFaculty', query: { faculty_id: null } }]);
  });

  it('that is refused or finds nothing leaves nothing; nor does a write', async () => {
    const { id } = await student();
    const without = await api.keyFor(institution, ['faculty:read']);
    const refused = [
      await api.call('GET', `/students/${id}`, { key: without }),
      await listAt(`/students/${id}`, { surprise: 1 }),
      await call('GET', '/students/stu_none'),
      await call('PATCH', `/students/${id}`, { full_name: 'Grace Hopper' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 422, 404, 200]);
    expect(await reads(id)).toEqual([]);
  });

  it('that asks for the head alone is on record: it says that somebody is there, and how much there is of them', async () => {
    const { id } = await student();
    const { status } = await fetch(`${api.baseUrl}/students/${id}`, { method: 'HEAD', headers: { authorization: `Bearer ${institution.apiKey}` } });
    expect(status).toBe(200);
    expect(await reads(id)).toMatchObject([{ what: 'record', operation: 'getStudent' }]);
  });

  it('is listed to keys of the institution alone', async () => {
    const { id } = await student();
    const other = await api.institution();
    const { status } = await api.call('GET', `/students/${id}/disclosures`, { key: other.apiKey });
    expect(status).toBe(404);
  });
});

describe('a read of many', () => {
  it('is one row with its query: ids and words as they were sent, texts as null', async () => {
    const [id = ''] = await createStudents(2);
    await listAt('/students', { status: 'active', student_id: 'SIS-1', limit: 2 });
    const [list, ...others] = await readsOfMany(id);
    expect(others).toEqual([]);
    expect(list).toMatchObject({ what: 'list', operation: 'listStudents', query: { status: 'active', student_id: null }, actor: key() });
    expect(await reads(id)).toEqual([]);
  });

  it('that is filtered by a person is one of that person', async () => {
    const [id = ''] = await createStudents(1);
    await listAt('/submissions', { student_id: id });
    expect(await reads(id)).toMatchObject([{ what: 'record', operation: 'listSubmissions', query: { student_id: id } }]);
  });

  it('of the devices of a license, and of what happened in the attempt of a submission, is one of the student, though the path names none', async () => {
    const { id, license } = await student();
    await call('GET', `/licenses/${license.id}/devices`);
    const submission = await seedSubmission(api, institution, { examId: (await createExam()).id, studentId: id });
    expect((await call('GET', `/submissions/${submission}/events`)).status).toBe(200);
    expect((await reads(id)).map(({ what, operation }) => [what, operation]).sort()).toEqual([['record', 'listDevices'], ['record', 'listSubmissionEvents']]);
    expect(await readsOfMany(id)).toEqual([]);
  });

  it('as a file is an export; of an exam that does not exist there is none', async () => {
    const [id = ''] = await createStudents(1);
    const exam = await createExam();
    expect((await call('GET', `/exams/${exam.id}/export.csv`)).status).toBe(200);
    expect((await call('GET', '/exams/exm_none/export.csv')).status).toBe(404);
    expect(await readsOfMany(id)).toMatchObject([{ what: 'export', operation: 'exportExamScores', query: { id: exam.id } }]);
  });
});

describe('readers are', () => {
  it('guardians', async () => {
    const [id = ''] = await createStudents(1);
    const address = newGuardianEmail();
    await seedGuardian(api, institution, id, address);
    const session = await guardianSession(api, address);
    await api.platform('GET', `/guardian/students/${id}/reports`, { key: session });
    expect(await reads(id)).toMatchObject([{ what: 'record', operation: 'listFollowedReports', actor: { kind: 'session', id: expect.stringMatching(/^usr_/) } }]);
  });

  it('the platform', async () => {
    const [id = ''] = await createStudents(1);
    await api.platform('GET', `/institutions/${institution.id}/students`);
    await api.platform('GET', '/search', { query: { q: id } });
    expect(await readsOfMany(id)).toMatchObject([{ what: 'list', operation: 'listStudentsOfInstitution', actor: { kind: 'platform', id: 'platform' } }]);
    expect(await reads(id)).toMatchObject([{ what: 'record', operation: 'search', query: { q: id } }]);
  });

  it('support, in its console, once for a page that updates itself', async () => {
    const { id } = await student();
    const session = await signInToConsole(api);
    const { data } = await call('GET', '/events');
    const event = data.items.find((one: { data: { student_id?: string } }) => one.data.student_id === id).id;
    for (const path of [`/console/search?q=${id}`, `/console/events/${event}`]) {
      await session.get(path);
      await session.get(path, { 'x-console-live': '1' });
    }
    expect(await reads(id)).toMatchObject([
      { what: 'record', operation: '/console/search', actor: { kind: 'staff', id: expect.stringMatching(/^stf_/), name: expect.any(String) } },
      { what: 'record', operation: '/console/events/:id' },
    ]);
  });
});

it('what support asks for as the update of a page that it has not opened is on record', async () => {
  const { id } = await student();
  const session = await signInToConsole(api);
  for (const _time of [1, 2]) expect((await session.get(`/console/search?q=${id}`, { 'x-console-live': '1' })).text).toContain(id);
  expect(await reads(id)).toMatchObject([{ operation: '/console/search', actor: { kind: 'staff' } }]);
});

it('reads of a faculty member are listed as those of a student are', async () => {
  await call('GET', `/faculty/${institution.adminLoginEmail}`);
  const [id = ''] = await createStudents(1);
  await reads(id);
  const { data } = await listAt(`/faculty/${institution.adminId}/disclosures`);
  expect(data.items).toMatchObject([{ what: 'record', operation: 'getFaculty', actor: key() }]);
});
