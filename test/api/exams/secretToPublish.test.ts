import type { ApiResponse } from '../../support/api';
import { base64, fullSpec, hiddenTestsIn } from '../../support/codingExams';
import { seedFile } from '../../support/seed/files';
import { apiFixture } from '../../support/apiFixture';
import { eventsDuring } from '../../support/events';

const { api, institution, sql, call, createExamWithStatus, createGroup, createStudents, readExam, createExam } = apiFixture();

const withHiddenTests = async () => ({ ...fullSpec, hidden_tests: hiddenTestsIn(await seedFile(api, institution)) });
const setSecret = (id: string) => call('PUT', `/exams/${id}/code-secret`, { hidden_key_b64: base64(32) });
const errorOf = ({ status, body }: ApiResponse) => [status, body.error, body.message];
const refused = (wayOut: string) => [409, 'conflict', `A coding exam with hidden tests cannot be published without its code secret: ${wayOut}.`];

it('a draft with hidden tests is published once its code secret is set, not before; the rejection notifies nobody', async () => {
  const draft = await createExamWithStatus('draft', { code_spec: await withHiddenTests(), group_ids: [await createGroup(await createStudents(1))] });
  const publish = () => call('POST', `/exams/${draft.id}/publish`);
  const events = await eventsDuring(api, institution, async () => {
    expect(errorOf(await publish())).toEqual(refused('set it with PUT /exams/{id}/code-secret, then publish the exam'));
    expect(await readExam(draft.id)).toEqual(draft);
    await setSecret(draft.id);
    expect((await publish()).data).toMatchObject({ status: 'published', app: 'svccode', code_secret_set: true });
  });
  expect(events.map(({ type }) => type)).toEqual(['exam.published', 'exam.assigned']);
});

it('one with hidden tests is not created as published: its secret can be set of what is there', async () => {
  const body = { faculty_id: institution.adminId, title: 'Sum', code_spec: await withHiddenTests() };
  const wayOut = 'create it with "publish": false, set the secret with PUT /exams/{id}/code-secret, then publish it';
  for (const publish of [{}, { publish: true }]) expect(errorOf(await call('POST', '/exams', { ...body, ...publish }))).toEqual(refused(wayOut));
  expect(await sql("SELECT 1 FROM exams WHERE institution_id = $1 AND title = 'Sum'", [institution.id])).toEqual([]);
  expect((await call('POST', '/exams', { ...body, publish: false })).data).toMatchObject({ status: 'draft', code_secret_set: false });
});

it('a published exam gets hidden tests once its code secret is set, not before', async () => {
  const [document, coding] = [await createExam(), await createExam({ code_spec: fullSpec })];
  for (const { id } of [document, coding]) {
    const change = async () => call('PATCH', `/exams/${id}`, { code_spec });
    const code_spec = await withHiddenTests();
    expect(errorOf(await change())).toEqual(refused('the exam is published: set it with PUT /exams/{id}/code-secret, then change code_spec'));
    await setSecret(id);
    expect((await change()).data.code_spec).toEqual(code_spec);
  }
});

it('a coding exam without hidden tests needs none', async () => {
  expect(await createExam({ code_spec: fullSpec })).toMatchObject({ status: 'published', app: 'svccode', code_secret_set: false });
});

it('what was published without one by the release before stays, and can be changed but for its spec', async () => {
  const exam = await createExam({ code_spec: await withHiddenTests() });
  await sql('UPDATE exams SET hidden_key_sealed = NULL, hidden_key_set_at = NULL WHERE id = $1', [exam.id]);
  const { status, data } = await call('PATCH', `/exams/${exam.id}`, { title: 'Sums', code_spec: exam.code_spec });
  expect([status, data.title, data.code_secret_set]).toEqual([200, 'Sums', false]);
  expect((await call('POST', `/exams/${exam.id}/publish`)).status).toBe(200);
  expect((await call('PATCH', `/exams/${exam.id}`, { code_spec: { ...exam.code_spec, rubric_md: null } })).status).toBe(409);
});
