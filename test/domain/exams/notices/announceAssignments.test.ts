import { announceAssignments } from '../../../../domain/exams/notices/announceAssignments';
import { transact } from '../../../../domain/transact';
import { systemCaller } from '../../../support/api';
import { eventsOf } from '../../../support/events';
import { assignAndAnnounce } from '../../../support/examNotices';
import { seedAssignments, seedExam } from '../../../support/seed/exams';
import { seedGroup } from '../../../support/seed/groups';
import { seedStudentWithEmail } from '../../../support/seed/students';
import { apiFixture } from '../../../support/apiFixture';

const { api, institution, sql } = apiFixture();

const assignedEvents = async () => (await eventsOf(api, institution)).filter(({ type }) => type === 'exam.assigned').map(({ data }) => data);
const notices = async (examId: string) => (await sql<{ number: number }>('SELECT number FROM exam_notices WHERE exam_id = $1 ORDER BY number', [examId])).map(({ number }) => number);
const numbers = async (examId: string) =>
  Object.fromEntries((await sql<{ group_id: string; notice: number | null }>('SELECT group_id, notice FROM exam_assignments WHERE exam_id = $1', [examId])).map((row) => [row.group_id, row.notice]));

/** The outbox rows of one announcement, before the relay sends them to Temporal. */
async function outboxRowsOf(examId: string): Promise<object[]> {
  return transact({ ...api.api.domain, onCommitted: () => undefined }, systemCaller(institution.id), async (tx) => {
    const outboxRows: object[] = [];
    await announceAssignments({ ...tx, startWorkflow: (name, workflowId, argument) => outboxRows.push({ name, workflowId, argument }) }, examId);
    return outboxRows;
  });
}

it('numbers the new assignments, emits one event a group with its members, and appends one notice to the outbox', async () => {
  const reader = await seedStudentWithEmail(api, institution, null);
  const [full, empty] = [await seedGroup(api, institution, [reader]), await seedGroup(api, institution)];
  const examId = await seedExam(api, institution);
  await assignAndAnnounce(api, institution, examId, [full, empty]);
  expect(await assignedEvents()).toEqual([
    { exam_id: examId, group_id: full, student_count: 1 },
    { exam_id: examId, group_id: empty, student_count: 0 },
  ]);
  expect([await numbers(examId), await notices(examId)]).toEqual([{ [full]: 1, [empty]: 1 }, [1]]);
});

it('gives later assignments the next number and leaves the earlier ones theirs', async () => {
  const [first, second] = [await seedGroup(api, institution), await seedGroup(api, institution)];
  const examId = await seedExam(api, institution);
  await assignAndAnnounce(api, institution, examId, [first]);
  await seedAssignments(api, institution, examId, [second]);
  expect(await outboxRowsOf(examId)).toEqual([
    { name: 'examNotification', workflowId: `${examId}:2`, argument: { examId, institutionId: institution.id, notice: 2 } },
  ]);
  expect([await numbers(examId), await notices(examId)]).toEqual([{ [first]: 1, [second]: 2 }, [1, 2]]);
});

it('does nothing without new assignments, and nothing for a draft', async () => {
  const group = await seedGroup(api, institution);
  const examId = await seedExam(api, institution);
  await assignAndAnnounce(api, institution, examId, [group]);
  const draft = await seedExam(api, institution, { status: 'draft' });
  await seedAssignments(api, institution, draft, [group]);
  expect([await outboxRowsOf(examId), await outboxRowsOf(draft), await notices(examId), await notices(draft), (await assignedEvents()).length]).toEqual([[], [], [1], [], 1]);
});
