import fc from 'fast-check';
import type { Badge } from '../../../db/repositories/alpha/badges';
import { DomainError } from '../../../domain/errors';
import { appFixture } from '../../support/appFixture';
import { alphaCalls, type Learner } from '../../support/alphaCalls';
import { eventsOf } from '../../support/events';

const fixture = appFixture();
const { sql } = fixture;
const { createLearner, createCurriculum, enroll, reportProgressAt } = alphaCalls(fixture);
const zones = ['Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Asia/Kolkata'];
const target = 30;

/** A progress report of an app, in one of two curricula, and how many minutes it comes after the previous one. */
const step = fc.record({
  in: fc.constantFrom(0, 1),
  concept: fc.constantFrom('c1', 'c2'),
  score: fc.oneof(fc.constantFrom(0, 79.99, 80, 100), fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)),
  minutes: fc.constantFrom(0, 10, 29, 30, 700, 1_440),
  ref: fc.oneof(fc.constantFrom('one', 'two'), fc.uuid()),
  after: fc.constantFrom(1, 60, 11 * 60, 20 * 60, 25 * 60, 49 * 60),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const conceptsOf = [2, 1];
const wallDay = (zone: string, moment: number): string => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(moment);
const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

/** The specification of progress, without a database. */
class Model {
  readonly best = new Map<string, { score: number; masteredAt: number | null }>();
  readonly days = new Map<string, number>();
  readonly met = new Set<string>();
  readonly badges: Badge[] = [];
  readonly completed = [false, false];
  longest = 0;
  private readonly refs = new Map<string, string>();

  constructor(private readonly zone: string) {}

  private run(last: string): number {
    return this.met.has(last) ? 1 + this.run(dayBefore(last)) : 0;
  }

  streak(now: number): number {
    const today = wallDay(this.zone, now);
    return this.run(today) || this.run(dayBefore(today));
  }

  mastered(nth: number): number {
    return [...this.best].filter(([key, { masteredAt }]) => key.startsWith(`${nth} `) && masteredAt !== null).length;
  }

  private grant(badge: Badge, earned: boolean): Badge[] {
    if (!earned || this.badges.includes(badge)) return [];
    this.badges.push(badge);
    return [badge];
  }

  tell({ in: nth, concept, score, minutes, ref }: Step, now: number): 'refused' | { applied: boolean; granted: Badge[] } {
    const report = JSON.stringify([nth, concept, score, minutes]);
    const earlier = this.refs.get(ref);
    if (earlier !== undefined) return earlier === report ? { applied: false, granted: [] } : 'refused';
    if (nth === 1 && concept === 'c2') return 'refused';
    this.refs.set(ref, report);
    const key = `${nth} ${concept}`;
    const { score: best = 0, masteredAt = null } = this.best.get(key) ?? {};
    this.best.set(key, { score: Math.max(best, score), masteredAt: masteredAt ?? (score >= 80 ? now : null) });
    const today = wallDay(this.zone, now);
    const spent = Math.min(1_440, (this.days.get(`${nth} ${today}`) ?? 0) + minutes);
    this.days.set(`${nth} ${today}`, spent);
    if (spent >= target) this.met.add(today);
    this.longest = Math.max(this.longest, this.streak(now));
    if (this.mastered(nth) === conceptsOf[nth]) this.completed[nth] = true;
    return {
      applied: true,
      granted: [
        ...this.grant('first_mastery', this.mastered(nth) > 0),
        ...this.grant('streak_7_days', this.streak(now) >= 7),
        ...this.grant('curriculum_complete', this.completed[nth] === true),
      ],
    };
  }
}

const refused = (error: unknown): 'refused' => {
  if (error instanceof DomainError && ['conflict', 'validation_error'].includes(error.code)) return 'refused';
  throw error;
};

/** A student enrolled in two curricula, of two concepts and of one. */
async function learner(): Promise<Learner[]> {
  const first = await createLearner({ concepts: 2, minutes: target });
  const curriculumId = await createCurriculum(1);
  const { data } = await enroll(curriculumId, [first.id], { daily_target_minutes: target });
  return [first, { ...first, curriculumId, enrollmentId: data.enrollments[0].id }];
}

it('for any progress reports at any time, mastery, days, streak, completion and badges are as specified', async () => {
  const { api, institution } = fixture;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...zones), fc.array(step, { minLength: 1, maxLength: 20 }), async (zone, steps) => {
      await sql('UPDATE institutions SET time_zone = $2 WHERE id = $1', [institution.id, zone]);
      const whos = await learner();
      const model = new Model(zone);
      const before = (await eventsOf(api, institution)).length;
      let now = Date.parse('2026-10-20T09:00:00Z');
      for (const one of steps) {
        now += one.after * 60_000;
        const who = whos[one.in];
        if (who === undefined) throw new Error('There is no such curriculum');
        const report = { concept_id: one.concept, score: one.score, minutes: one.minutes, ref: one.ref };
        const outcome = await reportProgressAt(who, new Date(now), report).catch(refused);
        const specified = model.tell(one, now);
        if (outcome === 'refused' || specified === 'refused') {
          expect(outcome).toBe(specified);
          continue;
        }
        const { score, masteredAt } = model.best.get(`${one.in} ${one.concept}`) ?? {};
        expect(outcome).toMatchObject({
          ...specified,
          concept: { score, mastered_at: masteredAt === null ? null : new Date(masteredAt ?? Number.NaN) },
          enrollment: { id: who.enrollmentId, status: model.completed[one.in] === true ? 'completed' : 'active' },
          progress: { concepts: conceptsOf[one.in], mastered: model.mastered(one.in) },
          streakDays: model.streak(now),
        });
      }

      const studentId = whos[0]?.id ?? '';
      const days = await sql<{ enrollment_id: string; day: string; minutes: number }>('SELECT enrollment_id, day::text, minutes FROM alpha_days WHERE student_id = $1', [studentId]);
      const kept = days.map(({ enrollment_id, day, minutes }) => [`${whos.findIndex(({ enrollmentId }) => enrollmentId === enrollment_id)} ${day}`, minutes]);
      expect(kept.sort()).toEqual([...model.days].sort());
      // Nothing is stored for a student whose every progress report was refused.
      const [standing = { longest_streak_days: 0 }] = await sql('SELECT longest_streak_days FROM alpha_students WHERE student_id = $1', [studentId]);
      expect(standing).toEqual({ longest_streak_days: model.longest });
      const events = (await eventsOf(api, institution)).slice(before).filter(({ type }) => type === 'alpha.badge_granted');
      expect(events.map(({ data }) => data)).toEqual(model.badges.map((badge) => ({ student_id: studentId, badge })));
    }),
    { numRuns: 25 },
  );
});
