import { idsOf, errorSummary } from '../../support/responses';
import { eventsDuring } from '../../support/events';
import { apiFixture } from '../../support/apiFixture';

const { api, institution, sql, call, createGroup, createStudents, createExam, readExam, listAt, createExamWithStatus } = apiFixture();
const assign = (id: string, group_ids: unknown[]) => call('POST', `/exams/${id}/assignments`, { group_ids });
const unassign = (id: string, groupId: string) => call('DELETE', `/exams/${id}/assignments/${groupId}`);
const assignedTo = async (id: string): Promise<string[]> => idsOf(await call('GET', `/exams/${id}/assignments`));

describe('assigning', () => {
  // Contract: service.purpose.run-exams, exams.assignments.list-response, exams.assignments.add-body, exams.assignments.event-per-group
  // Contract: events.exam-assigned.once-per-group
  it('answers every group, the newest assignment first, and announces each new one', async () => {
    const [first, second, third] = [await createGroup([], 'First'), await createGroup(await createStudents(2), 'Second'), await createGroup([], 'Third')];
    const { id } = await createExam({ group_ids: [first] });
    let answer = {};
    const events = await eventsDuring(api, institution, async () => {
      answer = (await assign(id, [second, third, second, first])).data;
    });
    const assigned = (group_id: string, student_count: number) => ({ type: 'exam.assigned', data: { exam_id: id, group_id, student_count } });
    expect(events).toHaveLength(2);
    expect(events).toEqual(expect.arrayContaining([assigned(second, 2), assigned(third, 0)]));
    const { data } = await call('GET', `/exams/${id}/assignments`);
    expect({ ...answer, limit: 50 }).toEqual(data);
    expect(data.items.map(({ name }: { name: string }) => name).at(-1)).toBe('First');
    expect(data.items.find((item: { id: string }) => item.id === second)).toEqual({ id: second, name: 'Second', member_count: 2, assigned_at: expect.any(String) });
  });

  it('with a group that is unknown or of another institution is not_found, and nothing is done', async () => {
    const otherInstitution = await api.institution();
    const foreign = (await call('POST', '/groups', { name: 'South' }, otherInstitution)).data.id;
    const own = await createGroup();
    const exam = await createExam();
    const events = await eventsDuring(api, institution, async () => {
      for (const other of ['grp_unknown', foreign]) {
        const refused = await assign(exam.id, [own, other]);
        expect([...errorSummary(refused), refused.body.message]).toEqual([404, 'not_found', 'No such group in this institution: group_ids.1. The id of a group begins with grp_; GET /v1/groups lists them.']);
        expect(errorSummary(await unassign(exam.id, other))).toEqual([404, 'not_found']);
      }
    });
    expect([events, await readExam(exam.id)]).toEqual([[], exam]);
  });

  it('needs at least one group', async () => {
    const { id } = await createExam();
    expect(errorSummary(await assign(id, []))).toEqual([422, 'validation_error', ['group_ids']]);
    expect(errorSummary(await call('POST', `/exams/${id}/assignments`, {}))).toEqual([422, 'validation_error', ['group_ids']]);
    expect(errorSummary(await assign(id, [1, '']))).toEqual([422, 'validation_error', ['group_ids.0', 'group_ids.1']]);
  });

  it('is announced by a notice each time, so that emails are about new groups only', async () => {
    const [first, second] = [await createGroup(), await createGroup()];
    const { id } = await createExam({ group_ids: [first] });
    await assign(id, [first]);
    await assign(id, [first, second]);
    expect(await sql('SELECT group_id, notice FROM exam_assignments WHERE exam_id = $1 ORDER BY notice', [id])).toEqual([
      { group_id: first, notice: 1 },
      { group_id: second, notice: 2 },
    ]);
    expect(await sql('SELECT number FROM exam_notices WHERE exam_id = $1 ORDER BY number', [id])).toEqual([{ number: 1 }, { number: 2 }]);
  });
});

it('the list of assignments is paged', async () => {
  const made = [];
  for (let n = 0; n < 5; n += 1) made.push(await createGroup());
  const { id } = await createExam({ group_ids: made });
  const pages = await Promise.all([1, 2, 3].map((page) => listAt(`/exams/${id}/assignments`, { page, limit: 2 })));
  expect(pages.map(({ data: { items, total, has_more } }) => [items.length, total, has_more])).toEqual([[2, 5, true], [2, 5, true], [1, 5, false]]);
  expect(pages.flatMap(idsOf).sort()).toEqual(made.sort());
});

// Contract: endpoints.unassign-exam
it('taking an exam back from a group leaves its other groups, and can be undone', async () => {
  const [one, other] = [await createGroup(), await createGroup()];
  const { id } = await createExam({ group_ids: [one, other] });
  expect((await unassign(id, one)).data).toEqual({ id: one, deleted: true });
  expect(await assignedTo(id)).toEqual([other]);
  expect(idsOf(await assign(id, [one]))).toEqual([one, other]);
});

describe('at the same time', () => {
  const types = (events: readonly { type: string }[]): string[] => events.map(({ type }) => type);

  it('ten publications emit one exam.published and one exam.assigned', async () => {
    const { id } = await createExamWithStatus('draft', { group_ids: [await createGroup()] });
    const events = await eventsDuring(api, institution, async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => call('POST', `/exams/${id}/publish`)));
      expect(answers.map(({ status, data }) => [status, data.status])).toEqual(Array(10).fill([200, 'published']));
    });
    expect(types(events)).toEqual(['exam.published', 'exam.assigned']);
  });

  it('publication and closing end in one of their orders', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await createExamWithStatus('draft');
      const [published, closed] = await Promise.all([call('POST', `/exams/${id}/publish`), call('POST', `/exams/${id}/close`)]);
      const { status } = await readExam(id);
      expect(published.status).toBe(200);
      expect([[200, 'closed'], [409, 'published']]).toContainEqual([closed.status, status]);
    }
  });

  it('ten assignments of the same groups announce each group once', async () => {
    const groups = [await createGroup(), await createGroup(), await createGroup()];
    const { id } = await createExam();
    const events = await eventsDuring(api, institution, async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, nth) => assign(id, nth % 2 === 0 ? groups : groups.toReversed())));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    });
    expect(types(events)).toEqual(Array(3).fill('exam.assigned'));
  });

  it('assignment and publication announce each group once, in either order', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [before, added] = [await createGroup(), await createGroup()];
      const { id } = await createExamWithStatus('draft', { group_ids: [before] });
      const events = await eventsDuring(api, institution, async () => {
        const answers = await Promise.all([call('POST', `/exams/${id}/publish`), assign(id, [added])]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      });
      expect(types(events).sort()).toEqual(['exam.assigned', 'exam.assigned', 'exam.published']);
    }
  });

  it('groups that are deleted leave no assignment to nothing, and no call fails', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [gone, stays] = [await createGroup(), await createGroup()];
      const [one, other] = [await createExam({ group_ids: [gone] }), await createExamWithStatus('draft')];
      const answers = await Promise.all([
        call('DELETE', `/groups/${gone}`),
        call('PATCH', `/exams/${one.id}`, { group_ids: [stays, gone] }),
        assign(other.id, [gone, stays]),
        call('POST', `/exams/${other.id}/publish`),
        call('DELETE', `/exams/${one.id}`),
      ]);
      const [deleted, patched, assigned, published, removed] = answers.map(({ status }) => status);
      expect([deleted, published, removed]).toEqual([200, 200, 200]);
      for (const status of [patched, assigned]) expect([200, 404]).toContain(status);
      expect(await assignedTo(other.id)).toEqual(assigned === 200 ? [stays] : []);
    }
  });
});
