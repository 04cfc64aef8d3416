import { parse } from 'csv-parse/sync';
import { seedScores } from '../../../bench/exams/scores';
import { apiFixture } from '../../support/apiFixture';
import { seedSubmission } from '../../support/seed/submissions';

const { api, institution, call, createGroup, createExam, createStudents } = apiFixture();

const columns = 'email,student_id,status,score,max_score,percentage,is_late,submitted_at,graded_at';

const exported = async (examId: string) => {
  const answer = await call('GET', `/exams/${examId}/export.csv`);
  if (answer.status !== 200) throw new Error(`The export answered ${answer.status}`);
  const text: string = answer.body.text;
  const records: Record<string, string>[] = parse(text, { columns: true, record_delimiter: '\r\n' });
  return { ...answer, text, records };
};

/** Students with this identifier each, and a group of them. */
async function classOf(identifiers: readonly (string | null)[]): Promise<{ groupId: string; students: { id: string; login_email: string }[] }> {
  const students = [];
  for (const student_id of identifiers) students.push((await call('POST', '/students', student_id === null ? {} : { student_id })).data);
  return { groupId: await createGroup(students.map(({ id }) => id)), students };
}

describe('GET /exams/{id}/export.csv', () => {
  // Contract: service.purpose.export-results, exams.export.columns, exams.export.csv-stream
  it('is a CSV file to save, with the columns in the order of the contract', async () => {
    const { groupId, students: [ada] } = await classOf(['SIS-1']);
    const { id } = await createExam({ group_ids: [groupId] });
    const { text, headers } = await exported(id);
    expect(text).toBe(`${columns}\r\n${ada?.login_email},SIS-1,not_submitted,,100,,,,\r\n`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="exam-${id}.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.get('x-request-id')).toMatch(/^req_/);
  });

  // Contract: exams.export.columns, exams.export.csv-stream
  it('has a record for each assigned student by the latest version, statuses as they are', async () => {
    const { groupId, students } = await classOf(['graded', 'submitted', 'voided', 'asked again', 'none']);
    const { id: examId } = await createExam({ group_ids: [groupId] });
    const submit = (index: number, fields: Parameters<typeof seedSubmission>[3]) =>
      seedSubmission(api, institution, { examId, studentId: students[index]?.id ?? '' }, fields);
    await submit(0, { status: 'graded', score: 50, percentage: 50 });
    await submit(0, { version: 2, status: 'graded', score: 66.67, percentage: 60, isLate: true });
    await submit(1, { status: 'submitted' });
    await submit(2, { status: 'voided' });
    await submit(3, { status: 'resubmission_required' });
    const { records } = await exported(examId);
    const byIdentifier = Object.fromEntries(records.map(({ student_id = '', ...record }) => [student_id, record]));
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const ungraded = { score: '', max_score: '100', percentage: '', graded_at: '' };
    expect(byIdentifier).toEqual({
      graded: { email: students[0]?.login_email, status: 'graded', score: '66.67', max_score: '100', percentage: '60', is_late: 'true', submitted_at: at, graded_at: at },
      submitted: { ...ungraded, email: students[1]?.login_email, status: 'submitted', is_late: 'false', submitted_at: at },
      voided: { ...ungraded, email: students[2]?.login_email, status: 'voided', is_late: 'false', submitted_at: at },
      'asked again': { ...ungraded, email: students[3]?.login_email, status: 'resubmission_required', is_late: 'false', submitted_at: at },
      none: { ...ungraded, email: students[4]?.login_email, status: 'not_submitted', is_late: '', submitted_at: '' },
    });
  });

  it('names nobody who is in no assigned group, and nobody twice', async () => {
    const [inBoth = '', inOne = '', outside = ''] = await createStudents(3);
    const groups = [await createGroup([inBoth, inOne]), await createGroup([inBoth])];
    await createGroup([outside]);
    const { id } = await createExam({ group_ids: groups });
    const scores = (await call('GET', `/exams/${id}/export.csv`)).body.text.split('\r\n');
    expect(scores).toHaveLength(4);
  });

  it('is ordered by login email, byte by byte, across chunks of either way of reading', async () => {
    for (const count of [2_345, 5_500]) {
      const students = await createStudents(count);
      const examId = await seedScores(api.api.domain.database.sql, institution, students, 7);
      const { records } = await exported(examId);
      const emails = records.map(({ email = '' }) => email);
      expect(emails).toHaveLength(count);
      expect(new Set(emails).size).toBe(count);
      expect(emails).toEqual([...emails].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
      expect(records.every(({ status, score }) => status === 'graded' && score === '80')).toBe(true);
    }
  });

  it('ends with a whole chunk where there are as many students', async () => {
    const examId = await seedScores(api.api.domain.database.sql, institution, await createStudents(2_000), 1);
    expect((await exported(examId)).records).toHaveLength(2_000);
  });

  it('carries identifiers of any script, with commas and quotes, and disarms formulas', async () => {
    const identifiers = ['Ada "the", first', '=HYPERLINK("http://x")', '学生-1; ü', '\u{1F600}', '-12', '＝1'];
    const { groupId } = await classOf(identifiers);
    const { id } = await createExam({ group_ids: [groupId] });
    const { records } = await exported(id);
    const expected = identifiers.map((identifier) => (/^[=\-＝]/.test(identifier) ? `'${identifier}` : identifier));
    expect(records.map(({ student_id }) => student_id).sort()).toEqual(expected.sort());
  });

  it('of an exam that nobody is assigned to is the header alone', async () => {
    const { id } = await createExam();
    expect((await exported(id)).text).toBe(`${columns}\r\n`);
  });

  it('of another institution, or of none, is not found, as JSON', async () => {
    const otherInstitution = await api.institution();
    const { data: foreign } = await call('POST', '/exams', { faculty_id: otherInstitution.adminId, title: 'Algebra' }, otherInstitution);
    for (const id of [foreign.id, 'exm_none']) {
      const { status, body, headers } = await call('GET', `/exams/${id}/export.csv`);
      expect([status, body.error, headers.get('content-disposition')]).toEqual([404, 'not_found', null]);
    }
  });

  it('needs submissions:read', async () => {
    const { id } = await createExam();
    const others = await api.keyFor(institution, ['exams:write']);
    const { status, body } = await api.call('GET', `/exams/${id}/export.csv`, { key: others });
    expect([status, body.missing]).toEqual([403, ['submissions:read']]);
  });

  it('answers HEAD with its headers alone', async () => {
    const { id } = await createExam();
    const { status, body, headers } = await call('HEAD', `/exams/${id}/export.csv`);
    expect([status, body.text, headers.get('content-type')]).toEqual([200, '', 'text/csv; charset=utf-8']);
  });
});
