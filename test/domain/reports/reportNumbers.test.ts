import fc from 'fast-check';
import { institutionScope } from '../../../db/database';
import { listReports, type ReportRow } from '../../../db/repositories/reports/weekly';
import { awardPoints } from '../../../domain/alpha/awardPoints';
import { newId } from '../../../domain/ids';
import { lastWholeWeek } from '../../../domain/reports/week';
import { writeWeeklyReports, type ReportStep } from '../../../domain/reports/writeWeeklyReports';
import { transact } from '../../../domain/transact';
import { appFixture } from '../../support/appFixture';
import { alphaCalls, type Learner } from '../../support/alphaCalls';
import { systemCaller } from '../../support/api';
import { seedGuardian } from '../../support/seed/guardians';

const fixture = appFixture();
const { api, institution, sql } = fixture;
const { createLearner, reportProgressAt } = alphaCalls(fixture);
const hourMs = 3_600_000;

const domain = () => api.api.domain;
const liveIn = (zone: string) => sql('UPDATE institutions SET time_zone = $2 WHERE id = $1', [institution.id, zone]);
const at = (now: Date) => systemCaller(institution.id, now);
const award = (who: Learner, points: number, now: Date) => transact(domain(), at(now), (tx) => awardPoints(tx, who.id, { points, ref: newId('evt') }));
const write = (asOf: Date): Promise<ReportStep> => transact(domain(), at(asOf), (tx) => writeWeeklyReports(tx, asOf, null));
const reports = async (): Promise<ReportRow[]> => (await listReports(institutionScope(domain().database, institution.id), {}, { page: 1, limit: 200 })).rows;

/** The reports of the institution's students as of a moment, its numbers alone. */
async function numbersAsOf(asOf: Date) {
  await write(asOf);
  const { monday } = lastWholeWeek((await sql<{ time_zone: string }>('SELECT time_zone FROM institutions WHERE id = $1', [institution.id]))[0]?.time_zone ?? '', asOf);
  const found = (await reports()).filter(({ week_start }) => week_start === monday);
  return found.map(({ minutes, days_met, points, points_balance, concepts_mastered, streak_days, badges }) =>
    ({ minutes, days_met, points, points_balance, concepts_mastered, streak_days, badges }));
}

/** A student who learns, with a verified guardian. */
async function guarded(of: Parameters<typeof createLearner>[0] = {}): Promise<Learner> {
  const who = await createLearner(of);
  // Enrolled long before the weeks of these tests.
  await sql("UPDATE alpha_enrollments SET created_at = '2000-01-01' WHERE student_id = $1", [who.id]);
  await seedGuardian(api, institution, who.id, `${who.id}@mail.example`);
  return who;
}

describe('what happens in the last minute of Sunday is of the week, what happens at midnight of the next, and so at its beginning', () => {
  it.each([
    ['UTC', '2026-11-16'],
    ['Asia/Kathmandu', '2026-11-16'],
    ['Pacific/Kiritimati', '2026-11-16'],
    // The clocks change on the Sunday: forward, and back.
    ['Europe/Berlin', '2026-03-23'],
    ['Europe/Berlin', '2026-10-19'],
    ['America/New_York', '2026-03-02'],
    ['America/New_York', '2026-10-26'],
  ])('in %s, the week of %s', async (zone, monday) => {
    await liveIn(zone);
    const week = lastWholeWeek(zone, new Date(Date.parse(monday) + 9 * 24 * hourMs));
    expect(week.monday).toBe(monday);
    const who = await guarded({ concepts: 5, minutes: 30 });
    const moments = [new Date(week.startsAt.getTime() - 60_000), week.startsAt, new Date(week.endsAt.getTime() - 60_000), week.endsAt];
    for (const [nth, moment] of moments.entries()) {
      await reportProgressAt(who, moment, { concept_id: `c${nth + 1}`, score: 80, minutes: 10 ** nth });
      await award(who, 10 * (nth + 1), moment);
    }
    // 1 minute the Sunday before, 10 on Monday, 100 on Sunday, 1,000 on the Monday after.
    expect(await numbersAsOf(week.endsAt)).toEqual([
      { minutes: 110, days_met: 1, points: 50, points_balance: 60, concepts_mastered: 2, streak_days: 1, badges: [] },
    ]);
  });
});

it('points count what was given less what was taken, and the badges granted in the week are listed in their order', async () => {
  const who = await guarded({ concepts: 1, minutes: 5 });
  const monday = new Date('2026-11-16T09:00:00Z');
  const later = (hours: number): Date => new Date(monday.getTime() + hours * hourMs);
  await award(who, 90, later(-24));
  await award(who, 30, later(1));
  await award(who, -50, later(2));
  await reportProgressAt(who, later(3), { score: 100, minutes: 5 });
  expect(await numbersAsOf(later(7 * 24))).toEqual([
    { minutes: 5, days_met: 1, points: -20, points_balance: 70, concepts_mastered: 1, streak_days: 0, badges: ['points_100', 'curriculum_complete', 'first_mastery'] },
  ]);
});

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
const dayIn = (zone: string, moment: number): string => new Intl.DateTimeFormat('sv', { timeZone: zone }).format(moment);
const dayAfter = (day: string, days: number): string => new Date(Date.parse(day) + days * 24 * hourMs).toISOString().slice(0, 10);

it('are those that a naive count over the days finds, week after week, across changes of clocks', async () => {
  const step = fc.record({
    // A few hours, a day, two: streaks grow and break.
    after: fc.constantFrom(3, 11, 20, 24, 25, 49),
    minutes: fc.constantFrom(0, 15, 30, 200),
    points: fc.constantFrom(0, 0, 5, 40),
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...zones), fc.constantFrom('2026-03-09T12:00:00Z', '2026-10-12T12:00:00Z'), fc.array(step, { minLength: 12, maxLength: 24 }), async (zone, begin, steps) => {
      await liveIn(zone);
      const who = await guarded({ minutes: 30 });
      await sql('DELETE FROM guardian_links WHERE institution_id = $1 AND student_id <> $2', [institution.id, who.id]);
      await sql('DELETE FROM weekly_report_letters WHERE institution_id = $1', [institution.id]);
      await sql('DELETE FROM weekly_report_runs WHERE institution_id = $1', [institution.id]);
      const days = new Map<string, { minutes: number; points: number }>();
      let now = Date.parse(begin);
      for (const { after, minutes, points } of steps) {
        now += after * hourMs;
        if (minutes > 0) await reportProgressAt(who, new Date(now), { minutes, score: 10 });
        if (points > 0) await award(who, points, new Date(now));
        const day = dayIn(zone, now);
        const sofar = days.get(day) ?? { minutes: 0, points: 0 };
        days.set(day, { minutes: sofar.minutes + minutes, points: sofar.points + points });
      }
      const isMet = (day: string): boolean => (days.get(day)?.minutes ?? 0) >= 30;
      const sum = (of: 'minutes' | 'points', from: string, to: string): number =>
        [...days].reduce((total, [day, counts]) => total + (day >= from && day <= to ? counts[of] : 0), 0);
      for (let monday = dayAfter(begin.slice(0, 10), -7); Date.parse(monday) < now; monday = dayAfter(monday, 7)) {
        const sunday = dayAfter(monday, 6);
        let streak = 0;
        while (isMet(dayAfter(sunday, -streak))) streak += 1;
        const [report] = await numbersAsOf(new Date(Date.parse(monday) + 8 * 24 * hourMs));
        expect(report).toMatchObject({
          minutes: sum('minutes', monday, sunday),
          days_met: Array.from({ length: 7 }, (_, nth) => dayAfter(monday, nth)).filter(isMet).length,
          points: sum('points', monday, sunday),
          points_balance: sum('points', '', sunday),
          streak_days: streak,
        });
      }
    }),
    { numRuns: 6 },
  );
});
