import { maxProgressReportsPerDay } from '../../../domain/alpha/recordProgress';
import { pruneExpired } from '../../../domain/retention/pruneExpired';
import { appFixture } from '../../support/appFixture';
import { alphaCalls } from '../../support/alphaCalls';
import { errorSummary } from '../../support/responses';
import { eventsDuring } from '../../support/events';
import { daysBefore } from '../../support/time';
import { seedProgressReports } from '../../support/seed/enrollments';
import { createResource } from '../../support/resourceFactories';

const fixture = appFixture();
const { call, listAt } = fixture;
const { createLearner, reportProgress, drillDown, setEnrollmentStatus, reportProgressAt, award, createCurriculum, enroll } = alphaCalls(fixture);
const day = 86_400_000;
const noon = Date.parse('2026-11-02T12:00:00Z');

it('answers where the student stands: concept, enrollment, streak and new badges', async () => {
  const who = await createLearner({ concepts: 2 });
  const { status, data } = await reportProgress(who, { score: 85.25, minutes: 30 });
  expect([status, data]).toEqual([
    200,
    {
      applied: true,
      concept: { id: 'c1', score: 85.25, status: 'mastered', mastered_at: expect.any(String) },
      enrollment: { id: who.enrollmentId, status: 'active', mastered: 1, concepts: 2 },
      streak_days: 1,
      badges_granted: ['first_mastery'],
    },
  ]);
});

// Contract: alpha.mastery.score-and-status
it('the best score counts, and what was mastered stays mastered since then', async () => {
  const who = await createLearner();
  const { data: learning } = await reportProgress(who, { score: 79.99 });
  expect(learning.concept).toMatchObject({ score: 79.99, status: 'learning', mastered_at: null });
  const { data: mastered } = await reportProgress(who, { score: 80 });
  const { data: worse } = await reportProgress(who, { score: 10 });
  expect([mastered.concept.status, worse.concept]).toEqual(['mastered', mastered.concept]);
  const { data: better } = await reportProgress(who, { score: 100 });
  expect(better.concept).toEqual({ ...mastered.concept, score: 100 });
});

// Contract: alpha.students.badges, events.alpha-badge-granted
it('mastering the last concept completes the enrollment, and grants its badge once', async () => {
  const who = await createLearner({ concepts: 2 });
  const events = await eventsDuring(fixture.api, fixture.institution, async () => {
    expect((await reportProgress(who, { concept_id: 'c2', score: 80 })).data).toMatchObject({ enrollment: { status: 'active', mastered: 1 }, badges_granted: ['first_mastery'] });
    expect((await reportProgress(who, { score: 80 })).data).toMatchObject({ enrollment: { status: 'completed', mastered: 2 }, badges_granted: ['curriculum_complete'] });
    expect((await reportProgress(who, { score: 90 })).data).toMatchObject({ enrollment: { status: 'completed' }, badges_granted: [] });
  });
  expect(events).toEqual(['first_mastery', 'curriculum_complete'].map((badge) => ({ type: 'alpha.badge_granted', data: { student_id: who.id, badge } })));
  const { data } = await listAt('/alpha/enrollments', { student_id: who.id });
  expect(data.items[0]).toMatchObject({ status: 'completed', completed_at: expect.any(String) });
});

it('what a concept requires is shown, not enforced', async () => {
  const who = await createLearner({ concepts: 3 });
  expect((await reportProgress(who, { concept_id: 'c3', score: 100 })).data.concept.status).toBe('mastered');
});

it('a repeat of a ref changes nothing, and answers where the student stands by now', async () => {
  const who = await createLearner({ concepts: 1 });
  const report = { score: 60, minutes: 20, ref: 'session-1' };
  await reportProgress(who, report);
  await reportProgress(who, { score: 90, minutes: 5 });
  const { status, data } = await reportProgress(who, report);
  expect([status, data]).toEqual([200, expect.objectContaining({ applied: false, concept: expect.objectContaining({ score: 90 }), badges_granted: [] })]);
  expect((await drillDown(who.id)).data.days[0].minutes).toBe(25);
});

it('a repeat is answered after the enrollment was withdrawn, too', async () => {
  const who = await createLearner();
  await reportProgress(who, { ref: 'session-1' });
  await setEnrollmentStatus(who.enrollmentId, 'withdrawn');
  expect((await reportProgress(who, { ref: 'session-1' })).data).toMatchObject({ applied: false, enrollment: { status: 'withdrawn' } });
});

it.each([{ score: 51 }, { minutes: 11 }, { concept_id: 'c2' }, { enrollment_id: 'enr_other' }])('other progress under a ref of the student is a conflict: %j', async (other) => {
  const who = await createLearner();
  await reportProgress(who, { ref: 'session-1' });
  expect(errorSummary(await reportProgress(who, { ref: 'session-1', ...other }))).toEqual([409, 'conflict']);
});

it('two students may use the same ref', async () => {
  const [one, other] = [await createLearner(), await createLearner()];
  expect([(await reportProgress(one, { ref: 'session-1' })).data.applied, (await reportProgress(other, { ref: 'session-1' })).data.applied]).toEqual([true, true]);
});

it('an enrollment of somebody else, of another institution or of nobody is not found', async () => {
  const [one, other] = [await createLearner(), await createLearner()];
  const { api } = fixture;
  const foreign = await createResource.enrollment(api, await api.institution());
  for (const enrollment_id of [other.enrollmentId, foreign, 'enr_unknown']) expect(errorSummary(await reportProgress(one, { enrollment_id }))).toEqual([404, 'not_found']);
});

it('a concept that the curriculum has not is refused with its path', async () => {
  const who = await createLearner({ concepts: 2 });
  expect(errorSummary(await reportProgress(who, { concept_id: 'c3' }))).toEqual([422, 'validation_error', ['concept_id']]);
});

it('nothing of refused progress is kept: its ref may be used again', async () => {
  const who = await createLearner();
  await setEnrollmentStatus(who.enrollmentId, 'paused');
  expect(errorSummary(await reportProgress(who, { ref: 'session-1' }))).toEqual([409, 'conflict']);
  await setEnrollmentStatus(who.enrollmentId, 'active');
  expect((await reportProgress(who, { ref: 'session-1', score: 70 })).data.applied).toBe(true);
});

it.each([
  [{ score: 100.01 }, ['score']],
  [{ score: -1 }, ['score']],
  [{ score: 50.125 }, ['score']],
  [{ minutes: 1_441 }, ['minutes']],
  [{ minutes: -1 }, ['minutes']],
  [{ minutes: 1.5 }, ['minutes']],
  [{ ref: ' ' }, ['ref']],
  [{ ref: 'x'.repeat(201) }, ['ref']],
])('progress against the bounds is refused with its path (%#)', async (report, paths) => {
  expect(errorSummary(await reportProgress(await createLearner(), report))).toEqual([422, 'validation_error', paths]);
});

it('minutes of a day add up to 1,440, and what goes beyond is not counted', async () => {
  const who = await createLearner();
  for (const minutes of [1_000, 400, 400]) await reportProgress(who, { minutes });
  expect((await drillDown(who.id)).data.days[0].minutes).toBe(1_440);
});

it('a day of the institution takes 1,000 progress reports of a student; then only repeats are answered, until the next day begins', async () => {
  const [who, other] = [await createLearner(), await createLearner()];
  const { api, institution, sql } = fixture;
  await sql("UPDATE institutions SET time_zone = 'Asia/Tokyo' WHERE id = $1", [institution.id]);
  const last = { ref: 'the last' };
  await seedProgressReports(api, who.enrollmentId, { createdAt: new Date(noon), count: maxProgressReportsPerDay - 1, day: '2026-11-02' });
  expect((await reportProgressAt(who, new Date(noon), last)).applied).toBe(true);
  await expect(reportProgressAt(who, new Date(noon + day / 24))).rejects.toMatchObject({
    code: 'conflict', message: 'Daily limit of 1,000 progress reports reached; retry after 2026-11-02T15:00:00.000Z.',
  });
  expect((await reportProgressAt(who, new Date(noon), last)).applied).toBe(false);
  expect((await reportProgressAt(other, new Date(noon))).applied).toBe(true);
  expect((await reportProgressAt(who, new Date(noon + day / 8))).applied).toBe(true);
});

it('of many progress reports at once as many are accepted as the daily limit allows', async () => {
  const who = await createLearner();
  await seedProgressReports(fixture.api, who.enrollmentId, { createdAt: new Date(), count: maxProgressReportsPerDay - 3 });
  const answers = await Promise.all(Array.from({ length: 6 }, () => reportProgress(who, { minutes: 1 })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.error).toBe('conflict');
  expect((await drillDown(who.id)).data.days[0].minutes).toBe(3);
});

it('mastery, minutes, streak, badges and points stay when the progress reports are deleted', async () => {
  const who = await createLearner({ concepts: 1 });
  const report = { score: 90, minutes: 30, ref: 'session-1' };
  await reportProgressAt(who, daysBefore(new Date(), 401), report);
  await reportProgress(who, { score: 20, minutes: 30 });
  await award(who.id);
  const standing = async () => [(await drillDown(who.id)).data, (await call('GET', `/alpha/students/${who.id}/mastery`)).data.items, (await call('GET', `/alpha/students/${who.id}/points`)).data];
  const before = await standing();
  expect(await pruneExpired(fixture.api.api.domain, 'alphaProgress', new Date())).toEqual({ removed: 1, more: false });
  expect(await standing()).toEqual(before);
  expect(before[0].badges.map(({ badge }: { badge: string }) => badge)).toEqual(expect.arrayContaining(['first_mastery', 'curriculum_complete']));
  // Its ref is forgotten: under it the app reports something new, and what was mastered stays so.
  expect((await reportProgress(who, { ...report, score: 10 })).data).toMatchObject({ applied: true, concept: { score: 90, status: 'mastered' }, enrollment: { status: 'completed' }, badges_granted: [] });
});

// Contract: alpha.students.badges, alpha.students.streaks
it('seven days in a row are a streak with a badge, and a missed one starts a new streak', async () => {
  const who = await createLearner({ minutes: 20 });
  const granted: string[][] = [];
  const streaks: number[] = [];
  for (const nth of [0, 1, 2, 3, 4, 5, 6, 7, 9]) {
    const outcome = await reportProgressAt(who, new Date(noon + nth * day), { minutes: 20, score: 0 });
    granted.push(outcome.granted);
    streaks.push(outcome.streakDays);
  }
  expect(streaks).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 1]);
  expect(granted).toEqual([[], [], [], [], [], [], ['streak_7_days'], [], []]);
});

it('a day counts once its target is reached, by the minutes of one enrollment', async () => {
  const who = await createLearner({ minutes: 30 });
  const curriculumId = await createCurriculum();
  const { data } = await enroll(curriculumId, [who.id], { daily_target_minutes: 30 });
  const other = { ...who, curriculumId, enrollmentId: data.enrollments[0].id };
  const streaks = [await reportProgress(who, { minutes: 29 }), await reportProgress(other, { minutes: 29 }), await reportProgress(who, { minutes: 1 })].map((answer) => answer.data.streak_days);
  expect(streaks).toEqual([0, 0, 1]);
});
