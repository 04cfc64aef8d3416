import { idsOf, errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';

const { api, institution, sql, call, createExam, listExams, createGroup, createExamWithStatus, createStudents, readExam } = apiFixture();
const spec = { v: 1, brief_md: 'Add', toolchain: 'python', commands: { run: 'python main.py' } };

describe('GET /exams', () => {
  // Contract: exams.list.response
  it('lists the newest first, page by page, with the exact total', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift((await createExam()).id);
    const pages = [await listExams({ limit: 2 }), await listExams({ limit: 2, page: 2 }), await listExams({ limit: 2, page: 3 }), await listExams({ limit: 2, page: 4 })];
    expect(pages.map(idsOf)).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4), []]);
    expect(pages.map(({ data: { total, has_more } }) => [total, has_more])).toEqual([[5, true], [5, true], [5, false], [5, false]]);
  });

  it('shows everything of an exam but its spec, groups and stats', async () => {
    const exam = await createExam({ code_spec: spec, group_ids: [await createGroup()] });
    const { code_spec: _spec, groups: _groups, stats: _stats, code_secret_set: _set, ...summary } = exam;
    expect((await listExams()).data.items).toEqual([summary]);
  });

  it('shows nothing of another institution', async () => {
    await createExam();
    const otherInstitution = await api.institution();
    expect((await call('GET', '/exams', undefined, otherInstitution)).data).toMatchObject({ items: [], total: 0 });
  });

  // Contract: exams.app.list-filter, exams.list.query
  it('filters by app', async () => {
    const [document, coding] = [await createExam(), await createExam({ code_spec: spec })];
    expect([idsOf(await listExams({ app: 'svc' })), idsOf(await listExams({ app: 'svccode' }))]).toEqual([[document.id], [coding.id]]);
    await call('PATCH', `/exams/${coding.id}`, { code_spec: null });
    expect(idsOf(await listExams({ app: 'svccode' }))).toEqual([]);
  });

  // Contract: exams.list.query
  it('filters by status', async () => {
    for (const status of ['draft', 'published', 'closed'] as const) {
      const exam = await createExamWithStatus(status);
      expect(idsOf(await listExams({ status }))).toEqual([exam.id]);
    }
  });

  it('refuses unknown values and parameters', async () => {
    for (const [name, value] of [['app', 'svcfilm'], ['status', 'open'], ['updated_since', '2026-01-01'], ['faculty_id', institution.adminId], ['limit', 201]] as const) {
      expect(errorSummary(await listExams({ [name]: value }))).toEqual([422, 'validation_error', [name]]);
    }
  });

  it('joins its filters, and counts what they leave', async () => {
    const exam = await createExam({ code_spec: spec });
    await createExam();
    await createExamWithStatus('draft', { code_spec: spec });
    const { data } = await listExams({ app: 'svccode', status: 'published', updated_since: exam.created_at, limit: 1 });
    expect([data.total, data.items[0].id]).toEqual([1, exam.id]);
  });
});

describe('updated_since', () => {
  const since = async (moment: string): Promise<string[]> => idsOf(await listExams({ updated_since: moment }));
  const next = (moment: string): string => new Date(Date.parse(moment) + 1).toISOString();

  // Contract: exams.list.query
  it('is inclusive, to the millisecond', async () => {
    const { id, updated_at } = await createExam();
    expect([await since(updated_at), await since(next(updated_at))]).toEqual([[id], []]);
  });

  it('finds an exam again after everything that changes it', async () => {
    const students = await createStudents(1);
    const [one, other] = [await createGroup(students), await createGroup()];
    const { id, updated_at } = await createExamWithStatus('draft', { group_ids: [one] });
    let before = updated_at;
    const changes: [string, string, object?][] = [
      ['PATCH', `/exams/${id}`, { title: 'Geometry' }],
      ['POST', `/exams/${id}/publish`],
      ['POST', `/exams/${id}/assignments`, { group_ids: [other] }],
      ['DELETE', `/exams/${id}/assignments/${other}`],
      ['PATCH', `/exams/${id}`, { group_ids: [one, other] }],
      ['PUT', `/exams/${id}/code-secret`, { hidden_key_b64: Buffer.alloc(32, 7).toString('base64') }],
      ['DELETE', `/groups/${other}`],
      ['POST', `/exams/${id}/close`],
      ['DELETE', `/groups/${one}`],
    ];
    for (const [method, path, body] of changes) {
      expect([method, path, (await call(method, path, body)).status]).toEqual([method, path, 200]);
      expect([method, path, await since(next(before))]).toEqual([method, path, [id]]);
      before = (await readExam(id)).updated_at;
    }
  });

  it('finds nothing after what changes nothing', async () => {
    const groupId = await createGroup();
    const fields = { title: 'Geometry', due_date: '2099-01-01T00:00:00Z', code_spec: spec, proctoring: { camera: true }, group_ids: [groupId] };
    const exam = await createExam(fields);
    const repeats: [string, string, object?][] = [
      ['PATCH', `/exams/${exam.id}`, {}],
      ['PATCH', `/exams/${exam.id}`, { ...fields, faculty_id: institution.adminLoginEmail, ai_policy: {} }],
      ['POST', `/exams/${exam.id}/publish`],
      ['POST', `/exams/${exam.id}/assignments`, { group_ids: [groupId] }],
    ];
    for (const [method, path, body] of repeats) expect((await call(method, path, body)).status).toBe(200);
    expect(await readExam(exam.id)).toEqual(exam);
  });

  it('sees no updated_at go back, though a change began before the one that it waited for', async () => {
    const groupId = await createGroup();
    const ahead = new Date(Date.now() + 4 * 60_000).toISOString();
    const { id } = await createExam();
    const set = () => sql('UPDATE exams SET updated_at = $2 WHERE id = $1', [id, ahead]);
    const changes: [string, string, object?][] = [
      ['PATCH', `/exams/${id}`, { title: 'Geometry' }],
      ['POST', `/exams/${id}/assignments`, { group_ids: [groupId] }],
      ['PUT', `/exams/${id}/code-secret`, { hidden_key_b64: Buffer.alloc(32, 7).toString('base64') }],
      ['DELETE', `/groups/${groupId}`],
      ['POST', `/exams/${id}/close`],
    ];
    for (const [method, path, body] of changes) {
      await set();
      expect([path, (await call(method, path, body)).status, await since(ahead)]).toEqual([path, 200, [id]]);
    }
  });
});
