import type { SubmissionStatus } from '../../../db/repositories/exams/studentExams';
import type { ApiResponse } from '../../support/api';
import { appFixture, type SignedInStudent } from '../../support/appFixture';
import { eventsOf } from '../../support/events';

const { api, institution, sql, call, studentWithAttempt, submit, requestAttempt } = appFixture();

const grade = (id: string, score: number) => call('POST', `/submissions/${id}/grade`, { score });
const annul = (id: string) => call('POST', `/submissions/${id}/void`, {});
const outcome = ({ status, body }: ApiResponse): string => (status === 200 ? '200' : `${status} ${body.error}`);

/** A student with a submission that came through the app. */
async function submitted(): Promise<{ who: SignedInStudent; examId: string; id: string }> {
  const { who, examId, attemptId } = await studentWithAttempt();
  const { status, data } = await submit(who, attemptId, { text: 'First' });
  expect(status).toBe(200);
  return { who, examId, id: data.id };
}

interface Kept {
  id: string;
  version: number;
  status: SubmissionStatus;
  score: number | null;
}

const versionsOf = (examId: string): Promise<Kept[]> =>
  sql<Kept>('SELECT id, version, status, score::float8 AS score FROM submissions WHERE exam_id = $1 ORDER BY version', [examId]);

/** The gradings in the feed, oldest first. */
async function announced(): Promise<(number | null)[]> {
  return (await eventsOf(api, institution)).flatMap(({ type, data }) => (type === 'exam.graded' && 'score' in data ? [data.score] : []));
}

const rounds = [1, 2, 3, 4, 5];

it('20 graders at once: each is answered with their own grade, and state and last event are those of the last one', async () => {
  const { examId, id } = await submitted();
  const scores = Array.from({ length: 20 }, (_, nth) => (nth % 5 === 4 ? -1 : nth));
  const answers = await Promise.all(scores.map((score) => grade(id, score)));
  expect(answers.map(({ status, data }) => [status, data.score_detail?.score ?? -1])).toEqual(scores.map((score) => [200, score]));
  const events = await announced();
  expect(events.map((score) => score ?? -1).sort()).toEqual([...scores].sort());
  const [kept] = await versionsOf(examId);
  expect([kept?.status, kept?.score]).toEqual(events.at(-1) === null ? ['resubmission_required', null] : ['graded', events.at(-1)]);
  expect(await sql('SELECT number FROM exam_notices WHERE submission_id = $1', [id])).toHaveLength(4);
});

it.each(rounds)('voiding against grading: voided in the end, and only earlier grades were announced (round %i)', async () => {
  const { examId, id } = await submitted();
  const [first, second, voided, third, again] = await Promise.all([grade(id, 10), grade(id, 20), annul(id), grade(id, 30), annul(id)]);
  expect([outcome(voided), outcome(again)].sort()).toEqual(['200', '409 void_failed']);
  const grades = [first, second, third].map(outcome);
  expect(grades.filter((one) => one !== '200' && one !== '409 conflict')).toEqual([]);
  const events = await announced();
  expect(events).toHaveLength(grades.filter((one) => one === '200').length);
  expect(await versionsOf(examId)).toEqual([{ id, version: 1, status: 'voided', score: events.at(-1) ?? null }]);
});

it.each(rounds)('a resubmission request against voiding: one of the two (round %i)', async () => {
  const { examId, id } = await submitted();
  const answers = (await Promise.all([grade(id, -1), annul(id)])).map(outcome);
  const [kept] = await versionsOf(examId);
  if (kept?.status === 'voided') expect([answers, await announced()]).toEqual([['409 conflict', '200'], []]);
  else expect([kept?.status, answers, await announced()]).toEqual(['resubmission_required', ['200', '409 void_failed'], [null]]);
});

it.each(rounds)('grading against a resubmission that is handed in: before it, or refused as an older version (round %i)', async (round) => {
  const { who, examId, id } = await submitted();
  expect((await grade(id, -1)).status).toBe(200);
  const attempt = await requestAttempt(who, examId);
  const handIn = () => submit(who, attempt.data.id, { text: 'Second' });
  const calls = round % 2 === 0 ? [handIn(), grade(id, 70), grade(id, -1)] : [grade(id, 70), handIn(), grade(id, -1)];
  const answers = await Promise.all(calls);
  const [handed] = answers.splice(round % 2 === 0 ? 0 : 1, 1);
  expect(handed?.status).toBe(200);
  const grades = answers.map(outcome);
  expect(grades.filter((one) => one !== '200' && one !== '409 conflict')).toEqual([]);
  const events = await announced();
  expect(events).toHaveLength(1 + grades.filter((one) => one === '200').length);
  const last = events.at(-1) ?? null;
  expect(await versionsOf(examId)).toEqual([
    { id, version: 1, status: last === null ? 'resubmission_required' : 'graded', score: last },
    { id: handed?.data.id, version: 2, status: 'submitted', score: null },
  ]);
  expect(outcome(await grade(id, 1))).toBe('409 conflict');
});

it.each(rounds)('grading against a max_score that falls: never above it (round %i)', async () => {
  const { examId, id } = await submitted();
  const [graded, changed] = await Promise.all([grade(id, 90), call('PATCH', `/exams/${examId}`, { max_score: 50 })]);
  const outcomes = [outcome(graded), outcome(changed)];
  expect([['200', '409 conflict'], ['422 validation_error', '200']]).toContainEqual(outcomes);
});
