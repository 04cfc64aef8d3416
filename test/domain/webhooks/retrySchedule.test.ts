import fc from 'fast-check';
import { scheduleAfterFailure, deliveryWindowMs, lastAttemptLeadMs, parseRetryAfterMs, retryWaitsMs } from '../../../domain/webhooks/retrySchedule';

const begin = new Date('2026-11-20T09:30:00.000Z');
const deadlineAt = new Date(begin.getTime() + deliveryWindowMs);
const lastAt = deadlineAt.getTime() - lastAttemptLeadMs;

interface Played {
  starts: number[];
  ended: 'dead';
}

/** Plays a whole window in which every attempt fails after `durations` ms. */
function play(randoms: readonly number[], durations: readonly number[], retryAfter: (nth: number) => number | null = () => null): Played {
  const starts = [begin.getTime()];
  let scheduleStep = 0;
  for (let nth = 0; nth < 100; nth += 1) {
    const startedAt = new Date(starts[nth] ?? 0);
    const endedAt = new Date(startedAt.getTime() + (durations[nth % durations.length] ?? 0));
    const random = randoms[nth % randoms.length] ?? 0.5;
    const after = scheduleAfterFailure({ startedAt, endedAt, deadlineAt, scheduleStep, plannedAt: null, retryAfterMs: retryAfter(nth), random });
    if (after.status === 'dead') return { starts, ended: 'dead' };
    scheduleStep = after.scheduleStep;
    starts.push(Math.max(after.nextAttemptAt.getTime(), endedAt.getTime()));
  }
  throw new Error('The schedule did not end');
}

const unit = fc.double({ min: 0, max: 0.999_999, noNaN: true });
const randoms = fc.array(unit, { minLength: 1, maxLength: 20 });
const durations = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 20 });

describe('the retry schedule', () => {
  it('makes twelve attempts at its waits within ten percent, the last 30 s before the deadline, then the delivery is dead', () => {
    fc.assert(
      fc.property(randoms, durations, (jitters, lengths) => {
        const { starts } = play(jitters, lengths);
        expect(starts).toHaveLength(12);
        retryWaitsMs.forEach((wait, index) => {
          const ended = (starts[index] ?? 0) + (lengths[index % lengths.length] ?? 0);
          const waited = (starts[index + 1] ?? 0) - ended;
          expect(waited).toBeGreaterThanOrEqual(Math.floor(wait * 0.9));
          expect(waited).toBeLessThanOrEqual(Math.ceil(wait * 1.1));
        });
        expect(starts[11]).toBe(lastAt);
      }),
    );
  });

  it('moves the next attempt later by Retry-After, never past the last one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * deliveryWindowMs }), unit, (asked, random) => {
        const after = scheduleAfterFailure({ startedAt: begin, endedAt: begin, deadlineAt, scheduleStep: 0, plannedAt: null, retryAfterMs: asked, random });
        if (after.status === 'dead') throw new Error('A first attempt is never the last');
        const next = after.nextAttemptAt.getTime() - begin.getTime();
        expect(next).toBeGreaterThanOrEqual(Math.min(asked, deliveryWindowMs - lastAttemptLeadMs));
        expect(next).toBeLessThanOrEqual(Math.max(Math.min(asked, deliveryWindowMs - lastAttemptLeadMs), 5_500));
      }),
    );
  });

  it('never plans past the last attempt and always ends, for any Retry-After', () => {
    fc.assert(
      fc.property(randoms, durations, fc.array(fc.option(fc.integer({ min: 0, max: deliveryWindowMs })), { minLength: 1 }), (jitters, lengths, asked) => {
        const { starts } = play(jitters, lengths, (nth) => asked[nth % asked.length] ?? null);
        expect(starts.length).toBeLessThanOrEqual(12);
        expect(Math.max(...starts)).toBeLessThanOrEqual(lastAt + 10_000);
      }),
    );
  });

  it('goes by the time since the first attempt: regardless of how often circuits have opened, the next attempt is no further away than at that age', () => {
    /** Where the waits end at the earliest, in ms since the first attempt. */
    const earliest = retryWaitsMs.map((_wait, index) => 0.9 * retryWaitsMs.slice(0, index + 1).reduce((sum, wait) => sum + wait, 0));
    const longestWaitAt = (ageMs: number): number => retryWaitsMs[earliest.filter((end) => end <= ageMs).length] ?? deliveryWindowMs;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: deliveryWindowMs }), { minLength: 1, maxLength: 60 }), durations, unit, (ages, lengths, random) => {
        let scheduleStep = 0;
        // Each is an attempt along the schedule that failed: those released by a closed circuit come far more often than the schedule's.
        for (const [nth, age] of ages.sort((a, b) => a - b).entries()) {
          const startedAt = new Date(begin.getTime() + age);
          const endedAt = new Date(startedAt.getTime() + (lengths[nth % lengths.length] ?? 0));
          const after = scheduleAfterFailure({ startedAt, endedAt, deadlineAt, scheduleStep, plannedAt: null, retryAfterMs: null, random });
          if (after.status === 'dead') return;
          ({ scheduleStep } = after);
          const wait = after.nextAttemptAt.getTime() - endedAt.getTime();
          expect(wait).toBeLessThanOrEqual(Math.ceil(1.1 * longestWaitAt(endedAt.getTime() - begin.getTime())));
        }
      }),
      { examples: [[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => n * 1_000), [0], 0.5]] },
    );
  });

  it('leaves the plan as it was after an attempt by request', () => {
    const plannedAt = new Date(begin.getTime() + 3_600_000);
    const after = scheduleAfterFailure({ startedAt: begin, endedAt: begin, deadlineAt, scheduleStep: 4, plannedAt, retryAfterMs: null, random: 0.3 });
    expect(after).toEqual({ status: 'retrying', nextAttemptAt: plannedAt, scheduleStep: 4 });
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Fri, 20 Nov 2026 09:31:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', null],
    ['soon', null],
    ['-5', null],
    [null, null],
  ])('%s is read as %s ms', (header, expected) => {
    expect(parseRetryAfterMs(header, begin)).toBe(expected);
  });
});
