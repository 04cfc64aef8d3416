import type { ApiResponse } from '../../../support/api';
import { appFixture, type SignedInStudent } from '../../../support/appFixture';
import { withLockedRows } from '../../../support/lockedRows';

// With this many connections two calls of one student reach the database at a time, as they do with two processes.
const { api, call, studentWithAttempt, submit, startAttempt, requestAttempt, attemptStatuses, signedInStudent, createGroup, createExam } = appFixture({ settings: () => ({ databasePoolSize: 20 }) });

const errorOf = ({ status, body }: ApiResponse) => [status, body.error, body.message];

const grade = (id: string, score: number) => call('POST', `/submissions/${id}/grade`, { score });
const annul = (id: string) => call('POST', `/submissions/${id}/void`, {});

/** A student whose first version is followed by an attempt in progress. */
async function secondAttempt(reopen: (submissionId: string) => Promise<ApiResponse>): Promise<{ who: SignedInStudent; examId: string; firstVersion: string; attemptId: string }> {
  const { who, examId, attemptId } = await studentWithAttempt();
  const { data } = await submit(who, attemptId, { text: 'First' });
  expect((await reopen(data.id)).status).toBe(200);
  return { who, examId, firstVersion: data.id, attemptId: await startAttempt(who, examId) };
}

// Handing in waits for the version before, with the attempt locked; who asks for an attempt waits for that one. They are
// answered by what was handed in, not by what stood when they began to wait.
it.each([
  ['was asked for again', (id: string) => grade(id, -1)],
  ['was voided', annul],
])('an attempt that is asked for while the version after one that %s is handed in does not begin: that version is not graded', async (_what, reopen) => {
  const { who, examId, firstVersion, attemptId } = await secondAttempt(reopen);
  const { submitted, asked } = await withLockedRows(api, 'SELECT 1 FROM submissions WHERE id = $1 FOR UPDATE', [firstVersion], async ({ waitForBlocked, waitForBlockedBy, release }) => {
    const submitting = submit(who, attemptId, { text: 'Second' });
    const submitter = await waitForBlocked();
    const asking = requestAttempt(who, examId);
    await waitForBlockedBy(submitter);
    await release();
    return { submitted: await submitting, asked: await asking };
  });
  expect(submitted.status).toBe(200);
  expect(await attemptStatuses(who, examId)).toEqual(['submitted', 'submitted']);
  expect(errorOf(asked)).toEqual([409, 'conflict', 'This exam has been handed in. Another attempt begins once a resubmission is asked for (a grade of -1) or the submission is voided.']);
});

it('an attempt that is asked for while the exam is taken back from the one group that had it does not begin', async () => {
  const who = await signedInStudent();
  const groupId = await createGroup([who.id]);
  const { id: examId } = await createExam({ group_ids: [groupId] });
  const { takenBack, asked } = await withLockedRows(api, 'SELECT 1 FROM exam_assignments WHERE exam_id = $1 FOR UPDATE', [examId], async ({ waitForBlocked, waitForBlockedBy, release }) => {
    const takingBack = call('DELETE', `/exams/${examId}/assignments/${groupId}`);
    const taker = await waitForBlocked();
    const asking = requestAttempt(who, examId);
    await waitForBlockedBy(taker);
    await release();
    return { takenBack: await takingBack, asked: await asking };
  });
  expect(takenBack.status).toBe(200);
  expect([asked.status, asked.body.error]).toEqual([404, 'not_found']);
  expect(await attemptStatuses(who, examId)).toEqual([]);
});
