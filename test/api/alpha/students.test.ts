import { appFixture } from '../../support/appFixture';
import { alphaCalls } from '../../support/alphaCalls';
import { errorSummary } from '../../support/responses';
import { localDay } from '../../../lib/timeZone';

const fixture = appFixture();
const { institution, sql, listAt, createStudents } = fixture;
const { drillDown, createLearner, reportProgressAt, reportProgress, award, enroll, createCurriculum, setEnrollmentStatus } = alphaCalls(fixture);
const hour = 3_600_000;

const mastery = (id: string, query = {}) => listAt(`/alpha/students/${id}/mastery`, query);

describe('the drill-down', () => {
  it('of a student who has done nothing yet is empty, with fourteen days', async () => {
    const [id = ''] = await createStudents(1);
    const { data } = await drillDown(id);
    expect(data).toMatchObject({
      student: { id, status: 'active' },
      points: { balance: 0, awards: 0, last_awarded_at: null },
      streak: { current: 0, longest: 0, met_today: false },
      badges: [],
      enrollments: [],
    });
    expect(data.days).toHaveLength(14);
    expect(data.days[0]).toEqual({ day: localDay('UTC', new Date()), minutes: 0, met: false });
  });

  // Contract: alpha.students.drill-down, alpha.students.badges, alpha.students.streaks, alpha.students.response
  it('has points, streak, badges, enrollments with progress, and days', async () => {
    const who = await createLearner({ concepts: 2, minutes: 30 });
    const yesterday = new Date(Date.now() - 24 * hour);
    await reportProgressAt(who, yesterday, { minutes: 40 });
    await reportProgress(who, { score: 90, minutes: 30 });
    await award(who.id, { points: 100 });
    const { data } = await drillDown(who.id);
    expect(data.points).toMatchObject({ balance: 100, earned: 100, deducted: 0, awards: 1, last_awarded_at: expect.any(String) });
    expect(data.streak).toEqual({ current: 2, longest: 2, met_today: true });
    expect(data.badges.map(({ badge }: { badge: string }) => badge)).toEqual(['first_mastery', 'points_100']);
    expect(data.enrollments).toEqual([
      expect.objectContaining({ id: who.enrollmentId, curriculum_title: 'Fractions', status: 'active', progress: { concepts: 2, mastered: 1, minutes_today: 30, target_minutes: 30 } }),
    ]);
    expect(data.days.slice(0, 3)).toEqual([
      { day: localDay('UTC', new Date()), minutes: 30, met: true },
      { day: localDay('UTC', yesterday), minutes: 40, met: true },
      { day: expect.any(String), minutes: 0, met: false },
    ]);
  });

  it('a streak ends when neither today nor yesterday is met; the longest stays', async () => {
    const who = await createLearner({ minutes: 5 });
    for (const ago of [4, 3, 2]) await reportProgressAt(who, new Date(Date.now() - ago * 24 * hour), { minutes: 5 });
    expect((await drillDown(who.id)).data.streak).toEqual({ current: 0, longest: 3, met_today: false });
  });

  it('days add up what was done in several enrollments', async () => {
    const who = await createLearner({ minutes: 30 });
    const { data: enrolled } = await enroll(await createCurriculum(), [who.id]);
    await reportProgress(who, { minutes: 20 });
    await reportProgress({ ...who, enrollmentId: enrolled.enrollments[0].id }, { minutes: 20 });
    expect((await drillDown(who.id)).data.days[0]).toMatchObject({ minutes: 40, met: false });
  });

  it('begins days at midnight of the institution\'s time zone', async () => {
    await sql(`UPDATE institutions SET time_zone = 'Pacific/Kiritimati' WHERE id = $1`, [institution.id]);
    const who = await createLearner();
    await reportProgress(who);
    expect((await drillDown(who.id)).data.days[0]).toEqual({ day: localDay('Pacific/Kiritimati', new Date()), minutes: 10, met: false });
  });

  it('is had by id or login email, and of nobody else', async () => {
    const [id = ''] = await createStudents(1);
    const { data } = await drillDown(id);
    expect((await drillDown(encodeURIComponent(data.student.login_email.toUpperCase()))).data).toEqual(data);
    for (const unknown of ['stu_unknown', institution.adminId]) expect(errorSummary(await drillDown(unknown))).toEqual([404, 'not_found']);
  });
});

describe('the mastery', () => {
  const brief = ({ concept_id, score, status }: { concept_id: string; score: number | null; status: string }) => [concept_id, score, status];

  // Contract: alpha.mastery.score-and-status, alpha.mastery.response
  it('has every concept of the student\'s curricula, the newest enrollment\'s first, each with score and status', async () => {
    const who = await createLearner({ concepts: 3 });
    await reportProgress(who, { score: 80.5 });
    await reportProgress(who, { concept_id: 'c2', score: 20 });
    const newest = await createCurriculum(1);
    await enroll(newest, [who.id]);
    const { data } = await mastery(who.id);
    expect(data.items.map(brief)).toEqual([['c1', null, 'not_started'], ['c1', 80.5, 'mastered'], ['c2', 20, 'learning'], ['c3', null, 'not_started']]);
    expect([data.total, data.items[0].curriculum_id, data.items[1].curriculum_id]).toEqual([4, newest, who.curriculumId]);
    expect(data.items[1]).toMatchObject({ title: 'Concept 1', requires: [], mastered_at: expect.any(String), updated_at: expect.any(String) });
    expect(data.items[2]).toMatchObject({ requires: ['c1'], mastered_at: null, updated_at: expect.any(String) });
  });

  it('stays after a withdrawal, and has a curriculum once though the student was enrolled twice', async () => {
    const who = await createLearner({ concepts: 2 });
    await reportProgress(who, { score: 90 });
    await setEnrollmentStatus(who.enrollmentId, 'withdrawn');
    await enroll(who.curriculumId, [who.id]);
    expect((await mastery(who.id)).data.items.map(brief)).toEqual([['c1', 90, 'mastered'], ['c2', null, 'not_started']]);
  });

  it('is paged', async () => {
    const who = await createLearner({ concepts: 5 });
    const { data } = await mastery(who.id, { limit: 2, page: 3 });
    expect([data.items.map(brief), data.total, data.has_more]).toEqual([[['c5', null, 'not_started']], 5, false]);
  });

  it('of a student who is enrolled in nothing is empty, and an unknown student is not found', async () => {
    const [id = ''] = await createStudents(1);
    expect((await mastery(id)).data).toMatchObject({ items: [], total: 0 });
    expect(errorSummary(await mastery('stu_unknown'))).toEqual([404, 'not_found']);
  });
});
