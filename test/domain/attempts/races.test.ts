import { setTimeout as pause } from 'node:timers/promises';
import { abandonDueAttempts } from '../../../domain/attempts/abandonDueAttempts';
import { startAttempt } from '../../../domain/attempts/startAttempt';
import { submitAttempt } from '../../../domain/attempts/submitAttempt';
import type { Transaction } from '../../../domain/context';
import { closeExam } from '../../../domain/exams/changeStatus';
import { transact } from '../../../domain/transact';
import { systemCaller, type ApiResponse } from '../../support/api';
import { appFixture, type SignedInStudent } from '../../support/appFixture';
import { eventsDuring } from '../../support/events';
import { withLockedRows } from '../../support/lockedRows';
import { seededRandom } from '../../support/seededRandom';

const fixture = appFixture();
const { api, institution, sql, signedInStudent, examFor, attemptFeed, studentWithAttempt, submit, requestAttempt, attemptStatuses, callAs } = fixture;
const students = 12;

interface Seat {
  who: SignedInStudent;
  attemptId: string;
}

/** One exam with so many students, each with an attempt in progress. */
async function room(body: object = {}): Promise<{ examId: string; seats: Seat[] }> {
  const people = await Promise.all(Array.from({ length: students }, () => signedInStudent()));
  const { id: examId } = await examFor(people, body);
  const seats = [];
  for (const who of people) seats.push({ who, attemptId: await fixture.startAttempt(who, examId) });
  return { examId, seats };
}

const abandonNow = (examId: string, now: Date, run = 1) => transact(api.api.domain, systemCaller(institution.id, now), (tx) => abandonDueAttempts(tx, { examId, run }));
const runOf = async (examId: string) => (await sql<{ run: number; open: boolean }>('SELECT run, open FROM attempt_expiries WHERE exam_id = $1', [examId]))[0];
const close = (examId: string) => fixture.call('POST', `/exams/${examId}/close`);

/** Each attempt's status, feed and submission must agree with each other, and with its caller's response. */
async function expectInStep(seats: readonly Seat[], answers: readonly ApiResponse[], ends: readonly string[]): Promise<void> {
  for (const [nth, { attemptId }] of seats.entries()) {
    const [row] = await sql<{ status: string }>('SELECT status FROM attempts WHERE id = $1', [attemptId]);
    const submissions = await sql('SELECT id FROM submissions WHERE attempt_id = $1', [attemptId]);
    const types = (await attemptFeed(attemptId)).map(({ type }) => type).filter((type) => type === 'submitted' || type === 'attempt_abandoned');
    const submitted = answers[nth]?.status === 200;
    expect(answers[nth]?.status).toBe(submitted ? 200 : 409);
    expect(ends).toContain(row?.status);
    expect([row?.status === 'submitted', submissions.length, types]).toEqual([submitted, submitted ? 1 : 0, submitted ? ['submitted'] : row?.status === 'abandoned' ? ['attempt_abandoned'] : []]);
  }
}

const rounds = [1, 2, 3, 4, 5];

/** Runs a command, and before it is committed a call, which must wait for it; returns what the call then came to. */
async function answeredAfter<Result>(command: (tx: Transaction) => Promise<unknown>, call: () => Promise<Result>): Promise<Result> {
  const state = { answered: false };
  let answer: Promise<Result> | undefined;
  await transact(api.api.domain, systemCaller(institution.id), async (tx) => {
    await command(tx);
    answer = call().finally(() => {
      state.answered = true;
    });
    await pause(150);
    expect(state.answered).toBe(false);
  });
  if (answer === undefined) throw new Error('Nothing was called');
  return answer;
}

it('a time-out while a submission is under way does not wait for it, and leaves it alone', async () => {
  const { who, examId, attemptId } = await studentWithAttempt({ time_limit_minutes: 60 });
  const end = () => abandonNow(examId, new Date(Date.now() + 3_700_000));
  const meanwhile = await transact(api.api.domain, systemCaller(institution.id), async (tx) => {
    await submitAttempt(tx, attemptId, who.id, {});
    return end();
  });
  expect([meanwhile, await attemptStatuses(who, examId)]).toEqual([{ state: 'waits', abandoned: 0, waiting: 1, nextAt: expect.any(Date) }, ['submitted']]);
  expect(await end()).toEqual({ state: 'done', abandoned: 0 });
});

it.each([
  ['a time-out', () => Promise.resolve(undefined), 3_700_000],
  ['the end of a closed exam', (examId: string) => sql("UPDATE exams SET status = 'closed', closed_at = now() WHERE id = $1", [examId]), 0],
])('an attempt that somebody holds keeps none of the others from %s, and is abandoned the next time', async (_what, prepare, ms) => {
  const { examId, seats } = await room(ms === 0 ? {} : { time_limit_minutes: 60 });
  await sql(
    `INSERT INTO attempt_expiries (exam_id, institution_id, run, open, next_at) VALUES ($1, $2, 1, true, now()) ON CONFLICT (exam_id) DO NOTHING`,
    [examId, institution.id],
  );
  await prepare(examId);
  const end = () => abandonNow(examId, new Date(Date.now() + ms));
  const [held = { attemptId: '' }] = seats;
  const lock = 'SELECT 1 FROM attempts WHERE id = $1 FOR NO KEY UPDATE';
  const state = await withLockedRows(api, lock, [held.attemptId], end);
  expect(state).toMatchObject({ state: 'waits', abandoned: students - 1, waiting: 1 });
  expect(await sql("SELECT id FROM attempts WHERE exam_id = $1 AND status = 'in_progress'", [examId])).toEqual([{ id: held.attemptId }]);
  expect([await end(), (await runOf(examId))?.open]).toEqual([{ state: 'done', abandoned: 1 }, false]);
});

describe('one waits for the other:', () => {
  it('what is submitted or begun while a close is under way comes after it', async () => {
    const { who, examId, attemptId } = await studentWithAttempt();
    expect((await answeredAfter((tx) => closeExam(tx, examId), () => submit(who, attemptId))).status).toBe(409);
    const other = await signedInStudent();
    const { id } = await examFor([other]);
    expect((await answeredAfter((tx) => closeExam(tx, id), () => requestAttempt(other, id))).status).toBe(409);
  });

  it('a close while a submission is under way comes after it, and has nothing to hand over', async () => {
    const { who, examId, attemptId } = await studentWithAttempt();
    expect((await answeredAfter((tx) => submitAttempt(tx, attemptId, who.id, {}), () => close(examId))).status).toBe(200);
    expect([await attemptStatuses(who, examId), await runOf(examId)]).toEqual([['submitted'], undefined]);
  });

  it('what is submitted in time, but while the time-out is being noted, is a conflict', async () => {
    const { who, examId, attemptId } = await studentWithAttempt({ time_limit_minutes: 60 });
    await sql('UPDATE attempts SET expires_at = $2 WHERE id = $1', [attemptId, new Date(Date.now() + 2_000)]);
    const noting = (tx: Transaction) => abandonDueAttempts({ ...tx, now: new Date(Date.now() + 3_000) }, { examId, run: 1 });
    expect((await answeredAfter(noting, () => submit(who, attemptId))).status).toBe(409);
    expect(await attemptStatuses(who, examId)).toEqual(['abandoned']);
  });

  it('a change of the terms while an attempt begins finds it', async () => {
    const who = await signedInStudent();
    const { id: examId } = await examFor([who], { time_limit_minutes: 60 });
    const { domain } = api.api;
    const patched = await answeredAfter((tx) => tx.sql('SELECT 1 FROM exams WHERE id = $1 FOR NO KEY UPDATE', [examId]), () => Promise.all([
      startAttempt(domain, systemCaller(institution.id), examId, who.id),
      fixture.call('PATCH', `/exams/${examId}`, { time_limit_minutes: 30 }),
    ]));
    expect(patched[1].status).toBe(200);
    const [row] = await sql<{ minutes: number }>('SELECT (extract(epoch FROM expires_at - started_at) / 60)::int AS minutes FROM attempts WHERE exam_id = $1', [examId]);
    expect(row?.minutes).toBe(30);
  });
});

it.each(rounds)('submitting while the exam is closed is before or after it; what is left is abandoned (round %i)', async (round) => {
  const random = seededRandom(round);
  const { examId, seats } = await room();
  let answers: ApiResponse[] = [];
  const events = await eventsDuring(api, institution, async () => {
    const closing = pause(random() * 40).then(() => close(examId));
    answers = await Promise.all(seats.map(({ who, attemptId }) => pause(random() * 60).then(() => submit(who, attemptId))));
    expect((await closing).status).toBe(200);
  });
  await expectInStep(seats, answers, ['submitted', 'in_progress']);
  const submitted = answers.filter(({ status }) => status === 200).length;
  expect(events.filter(({ type }) => type === 'exam.submitted')).toHaveLength(submitted);
  // The close handed over what was in progress when it came; nothing was submitted after it.
  expect(await runOf(examId)).toEqual(submitted === students ? undefined : { run: 1, open: true });
  if (submitted < students) expect(await abandonNow(examId, new Date())).toEqual({ state: 'done', abandoned: students - submitted });
  await expectInStep(seats, answers, ['submitted', 'abandoned']);
});

it.each(rounds)('submitting as the time runs out is before or after it: one end for each attempt (round %i)', async (round) => {
  const random = seededRandom(round);
  const { examId, seats } = await room({ time_limit_minutes: 60 });
  const end = new Date(Date.now() + 80);
  await sql('UPDATE attempts SET expires_at = $2 WHERE exam_id = $1', [examId, end]);
  let answers: ApiResponse[] = [];
  const events = await eventsDuring(api, institution, async () => {
    const sweeps = Array.from({ length: 4 }, async (_, nth) => {
      await pause(60 + nth * 20);
      await abandonNow(examId, new Date());
    });
    answers = await Promise.all(seats.map(({ who, attemptId }) => pause(random() * 140).then(() => submit(who, attemptId))));
    await Promise.all(sweeps);
    await pause(Math.max(0, end.getTime() - Date.now()));
    await abandonNow(examId, new Date());
  });
  await expectInStep(seats, answers, ['submitted', 'abandoned']);
  expect(events).toHaveLength(answers.filter(({ status }) => status === 200).length);
  expect(await sql("SELECT id FROM submissions WHERE exam_id = $1 AND submitted_at >= $2", [examId, end])).toEqual([]);
  expect(await runOf(examId)).toEqual({ run: 1, open: false });
});

it.each(rounds)('beginning while the exam is closed is before or after it: what has begun is handed over (round %i)', async (round) => {
  const random = seededRandom(round);
  const people = await Promise.all(Array.from({ length: students }, () => signedInStudent()));
  const { id: examId } = await examFor(people);
  const closing = pause(random() * 30).then(() => close(examId));
  const answers = await Promise.all(people.map((who) => pause(random() * 40).then(() => requestAttempt(who, examId))));
  await closing;
  const begun = answers.filter(({ status }) => status === 200).length;
  expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
  if (begun > 0) expect(await abandonNow(examId, new Date())).toEqual({ state: 'done', abandoned: begun });
  expect(await sql("SELECT id FROM attempts WHERE exam_id = $1 AND status = 'in_progress'", [examId])).toEqual([]);
});

it.each(rounds)('attempts that begin while a run ends are waited for: by it, or by the next (round %i)', async (round) => {
  const random = seededRandom(round);
  const people = await Promise.all(Array.from({ length: students }, () => signedInStudent()));
  const { id: examId } = await examFor(people, { time_limit_minutes: 5 });
  const first = await fixture.startAttempt(people[0] ?? { id: '', session: '' }, examId);
  await sql('UPDATE attempts SET expires_at = now() WHERE id = $1', [first]);
  const looks = Array.from({ length: 3 }, () => pause(random() * 30).then(() => abandonNow(examId, new Date())));
  const asked = people.slice(1).map((who) => pause(random() * 40).then(() => requestAttempt(who, examId)));
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(students - 1).fill(200));
  await Promise.all(looks);
  const run = await runOf(examId);
  expect(run?.open).toBe(true);
  const [next] = await sql<{ next_at: Date; first: Date }>(
    "SELECT e.next_at, min(a.expires_at) AS first FROM attempt_expiries e JOIN attempts a ON a.exam_id = e.exam_id AND a.status = 'in_progress' WHERE e.exam_id = $1 GROUP BY 1", [examId]);
  expect(next?.next_at.getTime()).toBeLessThanOrEqual(next?.first.getTime() ?? 0);
});

it('events flow in while attempts are resumed, submitted, released, moved and closed: never a 500', async () => {
  const { examId, seats } = await room({ time_limit_minutes: 60 });
  const random = seededRandom(7);
  const work = seats.flatMap(({ who, attemptId }, nth) =>
    Array.from({ length: 8 }, async (_, batch) => {
      await pause(random() * 60);
      const events = Array.from({ length: 20 }, (_event, at) => ({ id: `${Math.floor(batch / 2)}-${at}`, type: 'focus_lost', at: new Date() }));
      const calls = [
        () => callAs(who, 'POST', `/app/attempts/${attemptId}/events`, { events }),
        () => submit(who, attemptId),
        () => requestAttempt(who, examId),
        () => callAs(who, 'POST', `/app/attempts/${attemptId}/hidden-tests/release`),
      ];
      return (calls[batch < 4 ? 0 : (batch + nth) % calls.length] ?? calls[0])?.();
    }),
  );
  const patches = [90, 30, null].map(async (time_limit_minutes) => {
    await pause(random() * 50);
    return fixture.call('PATCH', `/exams/${examId}`, { time_limit_minutes });
  });
  const closing = pause(50).then(() => close(examId));
  const answers = [...(await Promise.all(work)), ...(await Promise.all(patches)), await closing];
  expect(answers.filter((answer) => ![200, 404, 409].includes(answer?.status ?? 0)).map((answer) => answer?.body)).toEqual([]);
  const sums = await sql<{ same: boolean }>(
    `SELECT a.event_count = (SELECT count(*) FROM attempt_events e WHERE e.attempt_id = a.id AND e.id NOT LIKE 'service:%')
        AND a.focus_losses = (SELECT count(*) FROM attempt_events e WHERE e.attempt_id = a.id AND e.type = 'focus_lost') AS same FROM attempts a WHERE exam_id = $1`, [examId]);
  expect(sums).toEqual(Array(students).fill({ same: true }));
});
