import { institutionScope } from '../../../db/database';
import { readExamScores } from '../../../db/repositories/exams/scores';
import { plantAssignments, plantExam, plantGroup } from '../../support/examRows';
import { plantStudents } from '../../support/manyStudents';
import { explaining } from '../../support/queryPlans';
import { apiOfAllTests } from '../../support/sharedApi';
import { gatherStatistics } from '../../support/statistics';

const api = apiOfAllTests();

it.each([['few', 300], ['many', 5_500]])('the scores of %s students are read in chunks, each planned for its own institution: a kept plan would sort all login emails for each', async (_what, students) => {
  const school = await api.institution();
  const studentIds = await plantStudents(api, school, students);
  const examId = await plantExam(api, school);
  await plantAssignments(api, school, examId, [await plantGroup(api, school, studentIds)]);
  await gatherStatistics(api);
  const { scope, done } = explaining(institutionScope(api.api.domain.database, school.id));
  const read: string[] = [];
  for await (const rows of readExamScores(scope, examId, 1_000)) read.push(...rows.map(({ id }) => id));
  expect(read.toSorted()).toEqual(studentIds.toSorted());
  expect(done.length).toBeGreaterThan(students / 1_000);
  expect(done.filter(({ kept }) => kept)).toEqual([]);
});
