import { idsIn, idsOf } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { seedStudents } from '../../support/seed/students';

const { api, institution, sql, call, createExam, listAt, createGroup } = apiFixture();

const exam = async (...group_ids: string[]): Promise<string> => (await createExam({ group_ids })).id;
const assignedTo = async (examId: string): Promise<string[]> => idsOf(await listAt(`/exams/${examId}/assignments`, {}));

// Contract: groups.get.members-and-exams, groups.get.response
it('a group is answered with the exams assigned to it, newest first, as lists of exams show them', async () => {
  const [one, other] = [await createGroup(), await createGroup()];
  const [first, second] = [await exam(one), await exam(one, other)];
  await exam(other);
  const { data } = await call('GET', `/groups/${one}`);
  const { data: listed } = await call('GET', '/exams');
  expect([idsIn(data.exams), data.exam_count]).toEqual([[second, first], 2]);
  expect(data.exams).toEqual(listed.items.slice(1));
});

it('a group is answered with the newest 200 of its exams, and with their number', async () => {
  const id = await createGroup();
  const [model, newest] = [await exam(id), await exam(id)];
  await sql(
    `WITH copies AS (
       INSERT INTO exams (id, institution_id, faculty_id, title, exam_type, status, max_score, allow_late_submission, late_penalty_percentage,
              proctoring, ai_policy, published_at, created_at, updated_at)
       SELECT id || '_' || n, institution_id, faculty_id, title, exam_type, status, max_score, allow_late_submission, late_penalty_percentage,
              proctoring, ai_policy, published_at, created_at - n * interval '1 second', updated_at
         FROM exams, generate_series(1, 250) n WHERE id = $1 RETURNING id, institution_id, created_at
     )
     INSERT INTO exam_assignments (exam_id, group_id, institution_id, created_at) SELECT id, $2, institution_id, created_at FROM copies`,
    [model, id],
  );
  const { data } = await call('GET', `/groups/${id}`);
  expect([data.exams.length, data.exam_count, data.exams[0].id, data.exams[1].id]).toEqual([200, 252, newest, model]);
});

// Contract: exams.states.group-deletion-unassigns, groups.delete.unassigns-exams
it('deleting a group unassigns its exams, which stay with their other groups', async () => {
  const students = await seedStudents(api, institution, 1);
  const [gone, stays] = [await createGroup(students), await createGroup()];
  const [both, alone] = [await exam(gone, stays), await exam(gone)];
  expect((await call('DELETE', `/groups/${gone}`)).status).toBe(200);
  expect([await assignedTo(both), await assignedTo(alone)]).toEqual([[stays], []]);
  expect((await call('GET', `/exams/${alone}`)).data).toMatchObject({ status: 'published', groups: [] });
  expect((await call('GET', `/students/${students[0]}/exams`)).data.total).toBe(0);
});

it('a group deleted while an exam is assigned to it leaves neither a broken exam nor an assignment to nothing', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [groupId, examId] = [await createGroup(), await exam()];
    const [assigned, deleted] = await Promise.all([call('POST', `/exams/${examId}/assignments`, { group_ids: [groupId] }), call('DELETE', `/groups/${groupId}`)]);
    expect(deleted.status).toBe(200);
    expect([200, 404]).toContain(assigned.status);
    expect(await assignedTo(examId)).toEqual([]);
  }
});
