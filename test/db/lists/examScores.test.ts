import { institutionScope } from '../../../db/database';
import { readExamScores } from '../../../db/repositories/exams/scores';
import { seedAssignments, seedExam } from '../../support/seed/exams';
import { seedGroup } from '../../support/seed/groups';
import { seedStudents } from '../../support/seed/students';
import { withExplain } from '../../support/queryPlans';
import { apiFixture } from '../../support/apiFixture';
import { gatherStatistics } from '../../support/statistics';

const { api } = apiFixture({ institutionPer: 'none' });

it.each([['few', 300], ['many', 5_500]])('the scores of %s students are read in chunks, each planned for its own institution: a kept plan would sort all login emails for each', async (_what, students) => {
  const school = await api.institution();
  const studentIds = await seedStudents(api, school, students);
  const examId = await seedExam(api, school);
  await seedAssignments(api, school, examId, [await seedGroup(api, school, studentIds)]);
  await gatherStatistics(api);
  const { scope, done } = withExplain(institutionScope(api.api.domain.database, school.id));
  const read: string[] = [];
  for await (const ids of readExamScores(scope, examId, 1_000, (rows) => rows.map(({ id }) => id))) read.push(...ids);
  expect(read.toSorted()).toEqual(studentIds.toSorted());
  expect(done.length).toBeGreaterThan(students / 1_000);
  expect(done.filter(({ isPrepared }) => isPrepared)).toEqual([]);
});
