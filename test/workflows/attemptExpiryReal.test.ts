import type { TemporalConnection } from '../../outbound/temporal/engine';
import type { RunningWorker } from '../../worker/start';
import { searchAttributes } from '../../workflows/contract';
import type { attemptExpiry } from '../../workflows/attemptExpiry';
import { appFixture } from '../support/appFixture';
import { eventually } from '../support/eventually';
import { historyText, recordHistory } from '../support/histories';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { waitUntilPolling, startTestWorker } from '../support/worker';

const { api, institution, call, signedInStudent, examFor, startAttempt, submit, attemptStatuses, attemptFeed, studentWithAttempt, createGroup } = appFixture();
let worker: RunningWorker;
let temporal: TemporalConnection;

beforeAll(async () => {
  temporal = openTestTemporal(api.settings);
  worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
});

afterAll(async () => {
  await closeTestTemporal();
  await worker.stop();
});

const runOf = (examId: string, run = 1) => temporal.client.workflow.getHandle<typeof attemptExpiry>(`${examId}:attempts:${run}`);
const started = (examId: string, run = 1) => eventually('the workflow', () => runOf(examId, run).describe().catch(() => undefined));
const details = async (examId: string) => (await runOf(examId).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
const patch = (examId: string, body: object) => call('PATCH', `/exams/${examId}`, body);
const soon = (ms: number) => new Date(Date.now() + ms).toISOString();

it('abandons what is not submitted in time; the Web UI reads like a sentence', async () => {
  const [ada, grace] = [await signedInStudent(), await signedInStudent()];
  const { id: examId } = await examFor([ada, grace], { time_limit_minutes: 60 });
  const [left, handedIn] = [await startAttempt(ada, examId), await startAttempt(grace, examId)];
  const { typedSearchAttributes } = await started(examId);
  expect(typedSearchAttributes.get(searchAttributes.institutionId)).toBe(institution.id);
  await eventually('the sentence', async () => (await details(examId)).startsWith(`**2 attempts** at \`${examId}\` in progress; the next expires at `));
  expect((await submit(grace, handedIn)).status).toBe(200);
  await patch(examId, { due_date: soon(2_000) });
  expect(await runOf(examId).result()).toEqual({ outcome: 'done', abandoned: 1 });
  expect([await attemptStatuses(ada, examId), await attemptStatuses(grace, examId)]).toEqual([['abandoned'], ['submitted']]);
  expect((await attemptFeed(left)).map(({ type }) => type)).toEqual(['attempt_started', 'attempt_abandoned']);
  expect(await details(examId)).toBe(`No attempt at \`${examId}\` is left to expire. 1 attempt abandoned so far.`);
  expect((await runOf(examId).describe()).typedSearchAttributes.get(searchAttributes.outcome)).toBe('done');
  const history = await historyText(runOf(examId));
  expect(history).toContain(`Wait for attempts at ${examId} to expire`);
  expect(history).not.toContain(ada.id);
  await recordHistory('attemptExpiry', runOf(examId));
});

it('waits again, under the next number, for attempts that begin once a run has ended', async () => {
  const { who, examId, attemptId } = await studentWithAttempt({ due_date: soon(1_500), allow_late_submission: false });
  await started(examId);
  await runOf(examId).result();
  expect(await attemptStatuses(who, examId)).toEqual(['abandoned']);
  const other = await signedInStudent();
  await call('PATCH', `/exams/${examId}`, { due_date: soon(60_000), group_ids: [await createGroup([other.id])] });
  await startAttempt(other, examId);
  await patch(examId, { due_date: soon(500) });
  await started(examId, 2);
  expect(await runOf(examId, 2).result()).toEqual({ outcome: 'done', abandoned: 1 });
  expect((await attemptFeed(attemptId)).filter(({ type }) => type === 'attempt_abandoned')).toHaveLength(1);
});

it('abandons what is in progress when the exam is closed, with an end or without', async () => {
  const { who, examId, attemptId } = await studentWithAttempt();
  const timed = await studentWithAttempt({ time_limit_minutes: 60 });
  for (const id of [examId, timed.examId]) expect((await call('POST', `/exams/${id}/close`)).status).toBe(200);
  await eventually('both abandoned', async () => (await attemptStatuses(who, examId))[0] === 'abandoned' && (await attemptStatuses(timed.who, timed.examId))[0] === 'abandoned');
  expect((await attemptFeed(attemptId)).at(-1)).toMatchObject({ type: 'attempt_abandoned', detail: { reason: 'closed' } });
});
