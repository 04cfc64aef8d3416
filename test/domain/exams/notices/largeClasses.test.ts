import { gatherNoticeRecipients, studentsPerChunk } from '../../../../db/repositories/exams/notices';
import { createExamNoticeActivities } from '../../../../activities/exams/notify';
import { createKeyedSemaphore } from '../../../../lib/keyedSemaphore';
import { transact } from '../../../../domain/transact';
import { systemCaller } from '../../../support/api';
import { assignAndAnnounce, recipientsOf } from '../../../support/examNotices';
import { seedExam } from '../../../support/seed/exams';
import { seedGroup } from '../../../support/seed/groups';
import { seedGuardian } from '../../../support/seed/guardians';
import { seedPersonalEmails, seedStudents } from '../../../support/seed/students';
import { apiFixture } from '../../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });
const students = 2 * studentsPerChunk + 500;

it('an activity whose time is over after a chunk says that there is more, and the next goes on; one with time writes all down', async () => {
  const ids = await seedStudents(api, institution, students, 'timed');
  await seedPersonalEmails(api, ids);
  const examId = await seedExam(api, institution);
  const notice = await assignAndAnnounce(api, institution, examId, [await seedGroup(api, institution, ids)]);
  const argument = { ...notice, institutionId: institution.id };
  const gather = (budgetMs?: number) =>
    createExamNoticeActivities(api.api.domain, { send: () => Promise.reject(new Error('Nothing is sent')) }, createKeyedSemaphore(1, 1_000), budgetMs).gatherRecipients(argument, Date.now());
  expect(await gather(0)).toMatchObject({ total: studentsPerChunk, more: true });
  expect(await gather(0)).toMatchObject({ total: 2 * studentsPerChunk, more: true });
  const last = await gather();
  expect([last.total, last.more]).toEqual([students, undefined]);
  expect(new Set((await recipientsOf(api, notice)).map(({ recipient_id }) => recipient_id)).size).toBe(students);
});

it('recipients of large classes are written down a thousand students to a transaction, each once, a guardian of several in one email', async () => {
  const ids = (await seedStudents(api, institution, students)).sort();
  const [first = '', second = '', last = ''] = [ids[0], ids[1], ids.at(-1)];
  await seedPersonalEmails(api, ids.filter((id) => id !== last));
  const ofThree = [await seedGuardian(api, institution, last, 'three@mail.example'), await seedGuardian(api, institution, first, 'three@mail.example'), await seedGuardian(api, institution, second, 'three@mail.example')];
  const ofLast = await seedGuardian(api, institution, last, 'last@mail.example');
  const examId = await seedExam(api, institution);
  // Half of them sit in both classes.
  const notice = await assignAndAnnounce(api, institution, examId, [await seedGroup(api, institution, ids.slice(0, -500)), await seedGroup(api, institution, ids.slice(1_000))]);
  const caller = systemCaller(institution.id);
  const gathered: [isDone: boolean, students: number][] = [];
  for (let isDone = false; !isDone; ) {
    isDone = await transact(api.api.domain, caller, (tx) => gatherNoticeRecipients(tx, notice, caller.now));
    gathered.push([isDone, (await recipientsOf(api, notice)).filter(({ kind }) => kind === 'student').length]);
  }
  expect(gathered).toEqual([[false, studentsPerChunk], [false, 2 * studentsPerChunk], [true, students - 1]]);
  const guardians = await api.api.domain.database.sql<{ link_ids: string[] }>(
    "SELECT link_ids FROM exam_notice_recipients WHERE exam_id = $1 AND kind = 'guardian' ORDER BY cardinality(link_ids)",
    [examId],
  );
  expect(guardians.map(({ link_ids }) => link_ids)).toEqual([[ofLast], ofThree.sort()]);
  // A repetition changes nothing.
  expect(await transact(api.api.domain, caller, (tx) => gatherNoticeRecipients(tx, notice, caller.now))).toBe(true);
  expect(await recipientsOf(api, notice)).toHaveLength(students - 1 + 2);
});
