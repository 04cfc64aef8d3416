import { errorSummary } from '../../support/responses';
import type { TestInstitution } from '../../support/api';
import { fullSpec, hiddenTestsIn } from '../../support/codingExams';
import { seedFile, seedAttemptFile } from '../../support/seed/files';
import { seedExamAttempt } from '../../support/seed/submissions';
import { apiFixture } from '../../support/apiFixture';

const fixture = apiFixture();
const { api, sql, call, createExam, createStudents, readExam } = fixture;

const zip = (id: string) => ({ kind: 'zip', file: { id } });
const unknownHidden = hiddenTestsIn({ id: 'file_01jd4k6f2mep2s5xg5yhc8m1zz', sha256: 'a'.repeat(64) });
const create = (code_spec: object, institution = fixture.institution) =>
  call('POST', '/exams', { faculty_id: institution.adminId, title: 'Sum', publish: false, code_spec: { ...fullSpec, ...code_spec } }, institution);
const patch = (id: string, code_spec: object | null) => call('PATCH', `/exams/${id}`, { code_spec });
const refused = (...paths: string[]) => [422, 'validation_error', paths.map((path) => `code_spec.${path}`)];
const filesOf = async (examId: string) =>
  Object.fromEntries((await sql<{ part: string; file_id: string }>('SELECT part, file_id FROM exam_files WHERE exam_id = $1', [examId])).map(({ part, file_id }) => [part, file_id]));
const statusOf = async (fileId: string) => (await sql<{ status: string }>('SELECT status FROM files WHERE id = $1', [fileId]))[0]?.status;

describe('the files of a coding spec', () => {
  // Contract: code-spec.starter.zip, code-spec.sample-tests.zip, code-spec.fields.hidden-tests
  it('are stored ones of the institution, answered by their ids alone', async () => {
    const [starter, sample, ciphertext] = [await seedFile(api, fixture.institution), await seedFile(api, fixture.institution), await seedFile(api, fixture.institution)];
    const parts = { starter: zip(starter.id), sample_tests: zip(sample.id), hidden_tests: hiddenTestsIn(ciphertext) };
    const { status, data } = await create(parts);
    expect([status, data.code_spec]).toEqual([200, { ...fullSpec, ...parts }]);
    expect(await filesOf(data.id)).toEqual({ starter: starter.id, sample_tests: sample.id, hidden_tests: ciphertext.id });
  });

  // Contract: exams.files.ref-usable-in-code-spec
  it('may be named by the ref of their upload, in each part', async () => {
    const [file, ciphertext] = [await seedFile(api, fixture.institution), await seedFile(api, fixture.institution)];
    const parts = { starter: zip(file.id), sample_tests: zip(file.id), hidden_tests: hiddenTestsIn(ciphertext) };
    const byRef = Object.fromEntries(Object.entries(parts).map(([part, spec]) => [part, { ...spec, file: spec.file.id }]));
    const { status, data } = await create(byRef);
    expect([status, data.code_spec]).toEqual([200, { ...fullSpec, ...parts }]);
    expect(errorSummary(await create({ starter: { kind: 'zip', file: 'file_1' } }))).toEqual(refused('starter.file.id'));
    expect(errorSummary(await create({ starter: { kind: 'zip', file: '' } }))).toEqual(refused('starter.file.id'));
    expect(errorSummary(await create({ starter: { kind: 'zip', file: 7 } }))).toEqual(refused('starter.file'));
  });

  it('may be one file in several places, and of several exams', async () => {
    const file = await seedFile(api, fixture.institution);
    const parts = { starter: zip(file.id), sample_tests: zip(file.id), hidden_tests: hiddenTestsIn(file) };
    expect([(await create(parts)).status, (await create(parts)).status]).toEqual([200, 200]);
  });

  it('may have been uploaded to another exam of the institution', async () => {
    const other = await createExam();
    const file = await seedFile(api, fixture.institution, { exam_id: other.id });
    expect((await create({ starter: zip(file.id) })).status).toBe(200);
  });

  it('are each refused at its place when unknown', async () => {
    const answer = await create({ starter: zip('file_1'), sample_tests: zip('file_2'), hidden_tests: unknownHidden });
    expect(errorSummary(answer)).toEqual(refused('hidden_tests.file.id', 'sample_tests.file.id', 'starter.file.id'));
  });

  it.each([['storing' as const], ['removed' as const]])('are unknown while %s', async (status) => {
    const file = await seedFile(api, fixture.institution, { status });
    const [answer, unknown] = [await create({ starter: zip(file.id) }), await create({ starter: zip('file_1') })];
    expect([answer.status, answer.body]).toEqual([422, unknown.body]);
  });

  it('are unknown when they are of another institution: the answer is exactly the same', async () => {
    const otherInstitution: TestInstitution = await api.institution();
    const [starter, ciphertext] = [await seedFile(api, otherInstitution), await seedFile(api, otherInstitution)];
    const foreign = await create({ starter: zip(starter.id), hidden_tests: hiddenTestsIn(ciphertext) });
    const unknown = await create({ starter: zip('file_01jd4k6f2mep2s5xg5yhc8m1zz'), hidden_tests: unknownHidden });
    expect([foreign.status, foreign.body]).toEqual([422, unknown.body]);
    expect((await create({ starter: zip(starter.id) }, otherInstitution)).status).toBe(200);
  });

  it('are never those of a student: what an attempt has stored is unknown to a spec', async () => {
    const exam = await createExam();
    const [student = ''] = await createStudents(1);
    const attemptId = await seedExamAttempt(api, fixture.institution, { examId: exam.id, studentId: student });
    for (const kind of ['attachment', 'recording'] as const) {
      const id = await seedAttemptFile(api, fixture.institution, attemptId, { kind });
      expect(errorSummary(await create({ starter: zip(id) }))).toEqual(refused('starter.file.id'));
    }
  });

  it('leave no trace of a refused spec', async () => {
    const file = await seedFile(api, fixture.institution);
    const exam = (await create({ starter: zip(file.id) })).data;
    await patch(exam.id, { ...fullSpec, starter: zip('file_1'), sample_tests: zip(file.id) });
    expect([await filesOf(exam.id), (await readExam(exam.id)).code_spec]).toEqual([{ starter: file.id }, exam.code_spec]);
  });

  it('are in use until the spec names others, and stay with the exam that they were uploaded to', async () => {
    const [first, second] = [await seedFile(api, fixture.institution), await seedFile(api, fixture.institution)];
    const exam = (await create({ starter: zip(first.id) })).data;
    await sql('UPDATE files SET exam_id = $1 WHERE id = $2', [exam.id, second.id]);
    await patch(exam.id, { ...fullSpec, starter: zip(second.id) });
    expect([await filesOf(exam.id), await statusOf(first.id), await statusOf(second.id)]).toEqual([{ starter: second.id }, 'stored', 'stored']);
    await patch(exam.id, null);
    expect([await filesOf(exam.id), await statusOf(second.id)]).toEqual([{}, 'stored']);
  });
});

describe('the digest of the hidden tests', () => {
  // Contract: hidden-tests.fields.sha256-of-ciphertext
  it('is that of the stored ciphertext', async () => {
    const [file, other] = [await seedFile(api, fixture.institution), await seedFile(api, fixture.institution)];
    expect(errorSummary(await create({ hidden_tests: hiddenTestsIn({ ...file, sha256: other.sha256 }) }))).toEqual(refused('hidden_tests.sha256'));
  });

  it('may be written in capitals, and is answered in small letters', async () => {
    const file = await seedFile(api, fixture.institution);
    const { data } = await create({ hidden_tests: hiddenTestsIn({ ...file, sha256: file.sha256.toUpperCase() }) });
    expect(data.code_spec.hidden_tests).toEqual(hiddenTestsIn(file));
  });
});

describe("the institution's allowed toolchains", () => {
  const allow = (allowed_toolchains: string[]) => call('PUT', '/institution/config', { allowed_toolchains });

  it('are those that a spec may name', async () => {
    await allow(['c', 'cpp']);
    const answer = await create({ toolchain: 'python' });
    expect([errorSummary(answer), answer.body.issues[0].message]).toEqual([refused('toolchain'), expect.stringContaining('c, cpp')]);
    expect((await create({ toolchain: 'cpp' })).status).toBe(200);
  });

  it('are listed together with every other error', async () => {
    await allow(['c']);
    const file = await seedFile(api, fixture.institution);
    const answer = await create({ starter: zip('file_1'), hidden_tests: hiddenTestsIn({ ...file, sha256: 'a'.repeat(64) }) });
    expect(errorSummary(answer)).toEqual(refused('hidden_tests.sha256', 'starter.file.id', 'toolchain'));
  });

  it('bind specs as they are written: one written before stays, and an unchanged one may be sent again', async () => {
    const exam = (await create({})).data;
    await allow(['c']);
    expect((await readExam(exam.id)).code_spec.toolchain).toBe('python');
    expect((await call('PATCH', `/exams/${exam.id}`, { title: 'Sums', code_spec: exam.code_spec })).data.title).toBe('Sums');
    expect(errorSummary(await patch(exam.id, { ...exam.code_spec, rubric_md: 'new' }))).toEqual(refused('toolchain'));
  });
});

describe('once an attempt has started', () => {
  async function attempted(status: 'in_progress' | 'submitted' | 'abandoned') {
    const exam = (await create({})).data;
    await call('POST', `/exams/${exam.id}/publish`);
    const [studentId = ''] = await createStudents(1);
    await seedExamAttempt(api, fixture.institution, { examId: exam.id, studentId }, { status });
    return exam;
  }

  it.each([['in_progress' as const], ['submitted' as const], ['abandoned' as const]])('(now %s) the spec neither changes nor goes', async (status) => {
    const exam = await attempted(status);
    expect(errorSummary(await patch(exam.id, { ...fullSpec, brief_md: 'easier' }))).toEqual([409, 'conflict']);
    expect(errorSummary(await patch(exam.id, null))).toEqual([409, 'conflict']);
    expect((await readExam(exam.id)).code_spec).toEqual(fullSpec);
  });

  it('other fields change, with the spec unchanged', async () => {
    const exam = await attempted('in_progress');
    const { status, data } = await call('PATCH', `/exams/${exam.id}`, { due_date: '2099-01-01T00:00:00Z', code_spec: (await readExam(exam.id)).code_spec });
    expect([status, data.due_date, data.code_spec]).toEqual([200, '2099-01-01T00:00:00.000Z', fullSpec]);
  });

  it('a document exam becomes no coding exam, and may say that it is none', async () => {
    const exam = await createExam();
    const [studentId = ''] = await createStudents(1);
    await seedExamAttempt(api, fixture.institution, { examId: exam.id, studentId });
    expect(errorSummary(await patch(exam.id, fullSpec))).toEqual([409, 'conflict']);
    expect((await patch(exam.id, null)).status).toBe(200);
  });
});
