import { createAttemptActivities } from '../../activities/exams/expireAttempts';
import { attemptExpiryWorkflowId } from '../../domain/outbox/workflows';
import { look } from '../../workflows/contract';
import type { ExpiryResult } from '../../workflows/attemptExpiry';
import { seedExam } from '../support/seed/exams';
import { seedExamAttempt, type AttemptFields } from '../support/seed/submissions';
import { seedStudents } from '../support/seed/students';
import { workflowFixture } from '../support/workflowFixture';

const taskQueue = 'attempts';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const calls: number[] = [];
const fixture = workflowFixture({ time: 'skipping', taskQueue, activities: ({ domain }) => {
  const { abandonAttempts } = createAttemptActivities(domain);
  const counted: typeof abandonAttempts = (run, nowMs) => {
    calls.push(nowMs);
    return abandonAttempts(run, nowMs);
  };
  return { abandonAttempts: counted };
} });
const { api, institution, sql, now } = fixture;
let examId: string;

beforeEach(async () => {
  calls.length = 0;
  examId = await seedExam(api, institution);
});

const after = (time: Date, ms: number) => new Date(time.getTime() + ms);

/** The exam's first run, on paper. */
const openRun = (nextAt: Date) => sql('INSERT INTO attempt_expiries (exam_id, institution_id, run, open, next_at) VALUES ($1, $2, 1, true, $3)', [examId, institution.id, nextAt]);
const attempt = async (fields: Partial<AttemptFields>) => {
  const [studentId = ''] = await seedStudents(api, institution, 1, `s${Math.random().toString(36).slice(2)}`);
  return seedExamAttempt(api, institution, { examId, studentId }, fields);
};
const start = (run = 1) =>
  fixture.environment.client.workflow.start<(argument: object) => Promise<ExpiryResult>>('attemptExpiry', {
    taskQueue,
    workflowId: attemptExpiryWorkflowId(examId, run),
    args: [{ examId, institutionId: institution.id, run }],
  });
const row = async (id: string) => (await sql<{ status: string; ended_at: Date | null }>('SELECT status, ended_at FROM attempts WHERE id = $1', [id]))[0];
const feedOf = (id: string) => sql('SELECT id, type, at, detail FROM attempt_events WHERE attempt_id = $1', [id]);
const runOf = async () => (await sql('SELECT run, open, next_at FROM attempt_expiries WHERE exam_id = $1', [examId]))[0];

it('abandons each attempt when its time has run out, as of that moment, and ends when none is left; those without an end stay', async () => {
  const begun = await now();
  const [first, second, third] = [after(begun, hour), after(begun, 5 * hour), after(begun, 400 * day)];
  const ends = [second, first, third, first];
  const attempts = [];
  for (const expiresAt of ends) attempts.push(await attempt({ expiresAt }));
  const [endless, over] = [await attempt({}), await attempt({ status: 'submitted', expiresAt: first })];
  await openRun(first);
  expect(await (await start()).result()).toEqual({ outcome: 'done', abandoned: 4 });
  for (const [nth, id] of attempts.entries()) {
    expect(await row(id)).toEqual({ status: 'abandoned', ended_at: ends[nth] });
    expect(await feedOf(id)).toEqual([{ id: 'service:abandoned', type: 'attempt_abandoned', at: ends[nth], detail: { reason: 'expired' } }]);
  }
  expect([(await row(endless))?.status, (await row(over))?.status]).toEqual(['in_progress', 'submitted']);
  expect(await runOf()).toEqual({ run: 1, open: false, next_at: null });
  // At the start, for each end, and once a month meanwhile.
  expect(calls.length).toBeLessThan(4 + 400 / 30 + 2);
  const late = (end: Date) => Math.min(...calls.filter((at) => at >= end.getTime())) - end.getTime();
  for (const end of [first, second, third]) expect(late(end)).toBeLessThan(2_000);
});

it('looks at once when it is signalled, and abandons what ends earlier than it thought', async () => {
  const begun = await now();
  const late = await attempt({ expiresAt: after(begun, 10 * hour) });
  await openRun(after(begun, 10 * hour));
  const run = await start();
  await fixture.environment.sleep('1 hour');
  const early = await attempt({ expiresAt: after(begun, 2 * hour) });
  await run.signal(look, {});
  await fixture.environment.sleep('3 hours');
  expect([(await row(early))?.status, (await row(late))?.status]).toEqual(['abandoned', 'in_progress']);
  expect(await run.result()).toEqual({ outcome: 'done', abandoned: 2 });
});

it('abandons every attempt in progress of an exam that is closed, in chunks', async () => {
  const begun = await now();
  const studentIds = await seedStudents(api, institution, 450);
  await sql(
    `INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, expires_at)
     SELECT 'att_' || s, $2, $1, s, 'in_progress', now(), CASE WHEN n % 2 = 0 THEN $4::timestamptz END FROM unnest($3::text[]) WITH ORDINALITY AS u (s, n)`,
    [examId, institution.id, studentIds, after(begun, 3 * hour)],
  );
  await sql("UPDATE exams SET status = 'closed', closed_at = now() WHERE id = $1", [examId]);
  await openRun(begun);
  expect(await (await start()).result()).toEqual({ outcome: 'done', abandoned: 450 });
  expect(calls).toHaveLength(3);
  expect(await sql('SELECT a.status, e.detail, count(*)::int AS count FROM attempts a JOIN attempt_events e ON e.attempt_id = a.id WHERE a.exam_id = $1 GROUP BY 1, 2', [examId])).toEqual([
    { status: 'abandoned', detail: { reason: 'closed' }, count: 450 },
  ]);
  expect(await sql('SELECT 1 FROM attempts WHERE exam_id = $1 AND ended_at > $2', [examId, after(begun, hour)])).toEqual([]);
});

it('ends attempts when their exam was closed, or when their time had run out before, at any delay', async () => {
  const begun = await now();
  const closedAt = after(begun, -hour);
  const [ranOut, closed, endless, crossed] = [
    await attempt({ startedAt: after(begun, -3 * hour), expiresAt: after(begun, -2 * hour) }),
    await attempt({ startedAt: after(begun, -3 * hour), expiresAt: after(begun, -minute) }),
    await attempt({ startedAt: after(begun, -3 * hour) }),
    await attempt({ startedAt: after(closedAt, 5) }),
  ];
  await sql("UPDATE exams SET status = 'closed', closed_at = $2 WHERE id = $1", [examId, closedAt]);
  await openRun(begun);
  expect(await (await start()).result()).toEqual({ outcome: 'done', abandoned: 4 });
  const ends: [string, Date, string][] = [
    [ranOut, after(begun, -2 * hour), 'expired'],
    [closed, closedAt, 'closed'],
    [endless, closedAt, 'closed'],
    [crossed, after(closedAt, 5), 'closed'],
  ];
  for (const [id, at, reason] of ends) {
    expect(await row(id)).toEqual({ status: 'abandoned', ended_at: at });
    expect(await feedOf(id)).toEqual([{ id: 'service:abandoned', type: 'attempt_abandoned', at, detail: { reason } }]);
  }
});

it('lets another run wait that has been put in its place', async () => {
  const begun = await now();
  await attempt({ expiresAt: after(begun, hour) });
  await openRun(after(begun, hour));
  await sql('UPDATE attempt_expiries SET run = 2 WHERE exam_id = $1', [examId]);
  expect(await (await start(1)).result()).toEqual({ outcome: 'replaced', abandoned: 0 });
  expect(await (await start(2)).result()).toEqual({ outcome: 'done', abandoned: 1 });
});

it('waits for an end that has been moved', async () => {
  const begun = await now();
  const id = await attempt({ expiresAt: after(begun, hour) });
  await openRun(after(begun, hour));
  const run = await start();
  await sql('UPDATE attempts SET expires_at = $2 WHERE id = $1', [id, after(begun, 9 * hour)]);
  expect(await run.result()).toEqual({ outcome: 'done', abandoned: 1 });
  expect(await row(id)).toEqual({ status: 'abandoned', ended_at: after(begun, 9 * hour) });
});
