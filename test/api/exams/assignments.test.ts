import { idsOf, errorSummary } from '../../support/responses';
import { eventsDuring } from '../../support/events';
import { examFixtureForEachTest } from '../../support/examFixture';

const desk = examFixtureForEachTest();
const assign = (id: string, group_ids: unknown[]) => desk.call('POST', `/exams/${id}/assignments`, { group_ids });
const unassign = (id: string, groupId: string) => desk.call('DELETE', `/exams/${id}/assignments/${groupId}`);
const assignedTo = async (id: string): Promise<string[]> => idsOf(await desk.call('GET', `/exams/${id}/assignments`));

describe('assigning', () => {
  // Contract: service.purpose.run-exams, exams.assignments.list-response, exams.assignments.add-body, exams.assignments.event-per-group
  // Contract: events.exam-assigned.once-per-group
  it('answers every group, the newest assignment first, and announces each new one', async () => {
    const [first, second, third] = [await desk.group([], 'First'), await desk.group(await desk.students(2), 'Second'), await desk.group([], 'Third')];
    const { id } = await desk.exam({ group_ids: [first] });
    let answer = {};
    const events = await eventsDuring(desk.api, desk.institution, async () => {
      answer = (await assign(id, [second, third, second, first])).data;
    });
    const told = (group_id: string, student_count: number) => ({ type: 'exam.assigned', data: { exam_id: id, group_id, student_count } });
    expect(events).toHaveLength(2);
    expect(events).toEqual(expect.arrayContaining([told(second, 2), told(third, 0)]));
    const { data } = await desk.call('GET', `/exams/${id}/assignments`);
    expect({ ...answer, limit: 50 }).toEqual(data);
    expect(data.items.map(({ name }: { name: string }) => name).at(-1)).toBe('First');
    expect(data.items.find((item: { id: string }) => item.id === second)).toEqual({ id: second, name: 'Second', member_count: 2, assigned_at: expect.any(String) });
  });

  it('with a group that is unknown or of another institution is not_found, and nothing is done', async () => {
    const south = await desk.api.institution();
    const foreign = (await desk.call('POST', '/groups', { name: 'South' }, south)).data.id;
    const own = await desk.group();
    const exam = await desk.exam();
    const events = await eventsDuring(desk.api, desk.institution, async () => {
      for (const other of ['grp_unknown', foreign]) {
        expect(errorSummary(await assign(exam.id, [own, other]))).toEqual([404, 'not_found']);
        expect(errorSummary(await unassign(exam.id, other))).toEqual([404, 'not_found']);
      }
    });
    expect([events, await desk.read(exam.id)]).toEqual([[], exam]);
  });

  it('needs at least one group', async () => {
    const { id } = await desk.exam();
    expect(errorSummary(await assign(id, []))).toEqual([422, 'validation_error', ['group_ids']]);
    expect(errorSummary(await desk.call('POST', `/exams/${id}/assignments`, {}))).toEqual([422, 'validation_error', ['group_ids']]);
    expect(errorSummary(await assign(id, [1, '']))).toEqual([422, 'validation_error', ['group_ids.0', 'group_ids.1']]);
  });

  it('is announced by a notice each time, so that letters tell of new groups alone', async () => {
    const [first, second] = [await desk.group(), await desk.group()];
    const { id } = await desk.exam({ group_ids: [first] });
    await assign(id, [first]);
    await assign(id, [first, second]);
    expect(await desk.sql('SELECT group_id, notice FROM exam_assignments WHERE exam_id = $1 ORDER BY notice', [id])).toEqual([
      { group_id: first, notice: 1 },
      { group_id: second, notice: 2 },
    ]);
    expect(await desk.sql('SELECT number FROM exam_notices WHERE exam_id = $1 ORDER BY number', [id])).toEqual([{ number: 1 }, { number: 2 }]);
  });
});

it('the list of assignments is paged', async () => {
  const made = [];
  for (let n = 0; n < 5; n += 1) made.push(await desk.group());
  const { id } = await desk.exam({ group_ids: made });
  const pages = await Promise.all([1, 2, 3].map((page) => desk.list({ page, limit: 2 }, `/exams/${id}/assignments`)));
  expect(pages.map(({ data: { items, total, has_more } }) => [items.length, total, has_more])).toEqual([[2, 5, true], [2, 5, true], [1, 5, false]]);
  expect(pages.flatMap(idsOf).sort()).toEqual(made.sort());
});

// Contract: endpoints.unassign-exam
it('taking an exam back from a group leaves its other groups, and can be undone', async () => {
  const [one, other] = [await desk.group(), await desk.group()];
  const { id } = await desk.exam({ group_ids: [one, other] });
  expect((await unassign(id, one)).data).toEqual({ id: one, deleted: true });
  expect(await assignedTo(id)).toEqual([other]);
  expect(idsOf(await assign(id, [one]))).toEqual([one, other]);
});

describe('at the same time', () => {
  const types = (events: readonly { type: string }[]): string[] => events.map(({ type }) => type);

  it('ten publications emit one exam.published and one exam.assigned', async () => {
    const { id } = await desk.examWithStatus('draft', { group_ids: [await desk.group()] });
    const events = await eventsDuring(desk.api, desk.institution, async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => desk.call('POST', `/exams/${id}/publish`)));
      expect(answers.map(({ status, data }) => [status, data.status])).toEqual(Array(10).fill([200, 'published']));
    });
    expect(types(events)).toEqual(['exam.published', 'exam.assigned']);
  });

  it('publication and closing end in one of their orders', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await desk.examWithStatus('draft');
      const [published, closed] = await Promise.all([desk.call('POST', `/exams/${id}/publish`), desk.call('POST', `/exams/${id}/close`)]);
      const { status } = await desk.read(id);
      expect(published.status).toBe(200);
      expect([[200, 'closed'], [409, 'published']]).toContainEqual([closed.status, status]);
    }
  });

  it('ten assignments of the same groups announce each group once', async () => {
    const groups = [await desk.group(), await desk.group(), await desk.group()];
    const { id } = await desk.exam();
    const events = await eventsDuring(desk.api, desk.institution, async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, nth) => assign(id, nth % 2 === 0 ? groups : groups.toReversed())));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    });
    expect(types(events)).toEqual(Array(3).fill('exam.assigned'));
  });

  it('assignment and publication announce each group once, whoever comes first', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [before, added] = [await desk.group(), await desk.group()];
      const { id } = await desk.examWithStatus('draft', { group_ids: [before] });
      const events = await eventsDuring(desk.api, desk.institution, async () => {
        const answers = await Promise.all([desk.call('POST', `/exams/${id}/publish`), assign(id, [added])]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      });
      expect(types(events).sort()).toEqual(['exam.assigned', 'exam.assigned', 'exam.published']);
    }
  });

  it('groups that are deleted leave no assignment to nothing, and no call fails', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [gone, stays] = [await desk.group(), await desk.group()];
      const [one, other] = [await desk.exam({ group_ids: [gone] }), await desk.examWithStatus('draft')];
      const answers = await Promise.all([
        desk.call('DELETE', `/groups/${gone}`),
        desk.call('PATCH', `/exams/${one.id}`, { group_ids: [stays, gone] }),
        assign(other.id, [gone, stays]),
        desk.call('POST', `/exams/${other.id}/publish`),
        desk.call('DELETE', `/exams/${one.id}`),
      ]);
      const [deleted, patched, assigned, published, removed] = answers.map(({ status }) => status);
      expect([deleted, published, removed]).toEqual([200, 200, 200]);
      for (const status of [patched, assigned]) expect([200, 404]).toContain(status);
      expect(await assignedTo(other.id)).toEqual(assigned === 200 ? [stays] : []);
    }
  });
});
