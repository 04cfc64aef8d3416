import type { ApiResponse } from '../../../support/api';
import { appFixtureForEachTest, type SignedInStudent } from '../../../support/appFixture';
import { withLockedRows } from '../../../support/lockedRows';

// With this many connections two calls of one student reach the database at a time, as they do with two processes.
const desk = appFixtureForEachTest(() => ({ databasePoolSize: 20 }));

const refusal = ({ status, body }: ApiResponse) => [status, body.error, body.message];

const grade = (id: string, score: number) => desk.exams.call('POST', `/submissions/${id}/grade`, { score });
const annul = (id: string) => desk.exams.call('POST', `/submissions/${id}/void`, {});

/** A student whose first version is followed by an attempt in progress. */
async function secondAttempt(reopen: (submissionId: string) => Promise<ApiResponse>): Promise<{ who: SignedInStudent; examId: string; firstVersion: string; attemptId: string }> {
  const { who, examId, attemptId } = await desk.studentWithAttempt();
  const { data } = await desk.submit(who, attemptId, { text: 'First' });
  expect((await reopen(data.id)).status).toBe(200);
  return { who, examId, firstVersion: data.id, attemptId: await desk.startAttempt(who, examId) };
}

// Handing in waits for the version before, with the attempt locked; who asks for an attempt waits for that one. They are
// answered by what was handed in, not by what stood when they began to wait.
it.each([
  ['was asked for again', (id: string) => grade(id, -1)],
  ['was voided', annul],
])('an attempt that is asked for while the version after one that %s is handed in does not begin: that version is not graded', async (_what, reopen) => {
  const { who, examId, firstVersion, attemptId } = await secondAttempt(reopen);
  const { submitted, asked } = await withLockedRows(desk.exams.api, 'SELECT 1 FROM submissions WHERE id = $1 FOR UPDATE', [firstVersion], async ({ waitForBlocked, waitForBlockedBy, release }) => {
    const submitting = desk.submit(who, attemptId, { text: 'Second' });
    const submitter = await waitForBlocked();
    const asking = desk.requestAttempt(who, examId);
    await waitForBlockedBy(submitter);
    await release();
    return { submitted: await submitting, asked: await asking };
  });
  expect(submitted.status).toBe(200);
  expect(await desk.attemptStatuses(who, examId)).toEqual(['submitted', 'submitted']);
  expect(refusal(asked)).toEqual([409, 'conflict', 'You have submitted this exam.']);
});

it('an attempt that is asked for while the exam is taken back from the one group that had it does not begin', async () => {
  const who = await desk.student();
  const groupId = await desk.exams.group([who.id]);
  const { id: examId } = await desk.exams.exam({ group_ids: [groupId] });
  const { takenBack, asked } = await withLockedRows(desk.exams.api, 'SELECT 1 FROM exam_assignments WHERE exam_id = $1 FOR UPDATE', [examId], async ({ waitForBlocked, waitForBlockedBy, release }) => {
    const takingBack = desk.exams.call('DELETE', `/exams/${examId}/assignments/${groupId}`);
    const taker = await waitForBlocked();
    const asking = desk.requestAttempt(who, examId);
    await waitForBlockedBy(taker);
    await release();
    return { takenBack: await takingBack, asked: await asking };
  });
  expect(takenBack.status).toBe(200);
  expect([asked.status, asked.body.error]).toEqual([404, 'not_found']);
  expect(await desk.attemptStatuses(who, examId)).toEqual([]);
});
