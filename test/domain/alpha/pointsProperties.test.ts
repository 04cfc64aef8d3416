import fc from 'fast-check';
import { awardPoints } from '../../../domain/alpha/awardPoints';
import { DomainError } from '../../../domain/errors';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../../support/api';
import { appFixture } from '../../support/appFixture';
import { eventsOf } from '../../support/events';

const fixture = appFixture();
const { sql, call, createStudents } = fixture;

const award = fc.record({
  does: fc.constant('award' as const),
  to: fc.constantFrom(0, 1),
  points: fc.oneof(fc.constantFrom(-100, -1, 1, 100, 100, 100), fc.integer({ min: -100, max: 100 }).filter((points) => points !== 0)),
  note: fc.constantFrom(null, 'Helped'),
  ref: fc.oneof(fc.constantFrom('one', 'two', 'three'), fc.uuid()),
});
const statusChange = fc.record({ does: fc.constantFrom('suspend' as const, 'reactivate' as const), to: fc.constantFrom(0, 1) });
type Award = typeof award extends fc.Arbitrary<infer Value> ? Value : never;

interface Entry {
  points: number;
  balance: number;
  note: string | null;
  ref: string;
}

/** The specification of points, without a database. */
class Model {
  readonly ledgers: Entry[][] = [[], []];
  readonly suspended = [false, false];
  readonly awarded: { student: number; points: number; balance: number; ref: string }[] = [];
  readonly badges: { student: number; badge: string }[] = [];

  balance(student: number): number {
    return (this.ledgers[student] ?? []).reduce((sum, { points }) => sum + points, 0);
  }

  award({ to, points, note, ref }: Award): 'conflict' | 'user_inactive' | { applied: boolean; balance: number } {
    const earlier = this.ledgers.flatMap((ledger, student) => ledger.map((entry) => ({ student, ...entry }))).find((entry) => entry.ref === ref);
    if (earlier !== undefined) {
      const same = earlier.student === to && earlier.points === points && earlier.note === note;
      return same ? { applied: false, balance: earlier.balance } : 'conflict';
    }
    if (this.suspended[to] === true) return 'user_inactive';
    const balance = this.balance(to) + points;
    if (balance < 0) return 'conflict';
    this.ledgers[to]?.push({ points, balance, note, ref });
    this.awarded.push({ student: to, points, balance, ref });
    for (const [badge, from] of [['points_100', 100], ['points_1000', 1_000]] as const) {
      if (balance >= from && !this.badges.some((granted) => granted.student === to && granted.badge === badge)) this.badges.push({ student: to, badge });
    }
    return { applied: true, balance };
  }
}

const codeOf = (error: unknown): string => {
  if (error instanceof DomainError) return error.code;
  throw error;
};

it('for any awards, repeats and deductions, balance, counters, ledger, events and badges are as specified', async () => {
  const { api, institution } = fixture;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof({ weight: 6, arbitrary: award }, statusChange), { minLength: 1, maxLength: 40 }), async (steps) => {
      await sql('UPDATE alpha_points SET ref = id WHERE institution_id = $1', [institution.id]);
      const students = await createStudents(2);
      const model = new Model();
      const before = (await eventsOf(api, institution)).length;
      for (const step of steps) {
        const student = students[step.to] ?? '';
        if (step.does === 'award') {
          const { points, note, ref } = step;
          const outcome = await transact(api.api.domain, systemCaller(institution.id), (tx) => awardPoints(tx, student, { points, note, ref })).catch(codeOf);
          const specified = model.award(step);
          if (typeof outcome === 'string') expect(outcome).toBe(specified);
          else expect({ applied: outcome.applied, balance: outcome.entry.balance }).toEqual(specified);
        } else {
          model.suspended[step.to] = step.does === 'suspend';
          await sql('UPDATE users SET status = $2 WHERE id = $1', [student, step.does === 'suspend' ? 'suspended' : 'active']);
        }
      }

      for (const [nth, student] of students.entries()) {
        const { data } = await call('GET', `/alpha/students/${student}/points?limit=200`);
        const ledger = model.ledgers[nth] ?? [];
        const sumOf = (sign: number): number => ledger.reduce((sum, { points }) => sum + Math.max(0, sign * points), 0);
        expect(data.stats).toMatchObject({ balance: model.balance(nth), earned: sumOf(1), deducted: sumOf(-1), awards: ledger.length });
        const shown = data.ledger.items.map(({ points, balance, note, ref }: Entry) => ({ points, balance, note, ref }));
        expect([data.ledger.total, shown]).toEqual([ledger.length, [...ledger].reverse()]);
      }
      const events = (await eventsOf(api, institution)).slice(before);
      const eventDataOf = (wanted: string) => events.filter(({ type }) => type === wanted).map(({ data }) => data);
      const named = (specified: readonly { student: number }[]) => specified.map(({ student, ...data }) => ({ student_id: students[student], ...data }));
      expect([eventDataOf('alpha.points_awarded'), eventDataOf('alpha.badge_granted')]).toEqual([named(model.awarded), named(model.badges)]);
    }),
    { numRuns: 25 },
  );
});
