import fc from 'fast-check';
import { percentageOf } from '../../../domain/submissions/percentage';

/** Numbers of up to two decimals, by their hundredths. */
const upTo = (most: number, least = 0) => fc.integer({ min: least * 100, max: most * 100 }).map((hundredths) => hundredths / 100);
const scored = fc
  .integer({ min: 1, max: 10_000_000 })
  .chain((whole) => fc.tuple(fc.integer({ min: 0, max: whole }), fc.constant(whole)))
  .map(([part, whole]) => [part / 100, whole / 100] as const);
const penalty = upTo(100);

/** The decimal digits of a number of up to two decimals as a fraction of 100. */
const digits = (value: number): bigint => BigInt(value.toFixed(2).replace('.', ''));

describe('the percentage of a score', () => {
  it('is the nearest hundredth of the exact fraction, a half going up', () => {
    fc.assert(
      fc.property(scored, penalty, ([score, maxScore], off) => {
        const numerator = digits(score) * (10_000n - digits(off));
        const denominator = digits(maxScore);
        const hundredths = digits(percentageOf(score, maxScore, off));
        // Above numerator / denominator by at most a half, below it by less than one: 2h ≤ 2n/d + 1 and 2h > 2n/d − 1.
        expect(2n * hundredths * denominator).toBeLessThanOrEqual(2n * numerator + denominator);
        expect(2n * hundredths * denominator).toBeGreaterThan(2n * numerator - denominator);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has two decimals at most and is between 0 and 100', () => {
    fc.assert(
      fc.property(scored, penalty, ([score, maxScore], off) => {
        const percentage = percentageOf(score, maxScore, off);
        expect(Number(percentage.toFixed(2))).toBe(percentage);
        expect(percentage).toBeGreaterThanOrEqual(0);
        expect(percentage).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('rises with the score and falls with the penalty', () => {
    fc.assert(
      fc.property(scored, scored, penalty, penalty, ([one, maxScore], [other], off, further) => {
        const [low, high] = [Math.min(one, other, maxScore), Math.min(Math.max(one, other), maxScore)];
        expect(percentageOf(low, maxScore, off)).toBeLessThanOrEqual(percentageOf(high, maxScore, off));
        expect(percentageOf(high, maxScore, Math.max(off, further))).toBeLessThanOrEqual(percentageOf(high, maxScore, Math.min(off, further)));
      }),
    );
  });

  it('is 100 of the full score, what the penalty leaves of it when late, and 0 of none', () => {
    fc.assert(
      fc.property(upTo(100_000, 0.01), penalty, (maxScore, off) => {
        expect([percentageOf(maxScore, maxScore, 0), percentageOf(maxScore, maxScore, off), percentageOf(0, maxScore, off)]).toEqual([100, Number((100 - off).toFixed(2)), 0]);
      }),
    );
  });

  it.each([
    // Values on the half, where binary fractions tip to either side.
    [0.03, 0.8, 0, 3.75],
    [1, 800, 0, 0.13],
    [1.15, 100, 50, 0.58],
    [80, 100, 10, 72],
    [2, 3, 0, 66.67],
    [1, 3, 0, 33.33],
    [100_000, 100_000, 0.01, 99.99],
    [45.5, 60, 12.5, 66.35],
  ])('of %d in %d with %d off is %d', (score, maxScore, off, expected) => {
    expect(percentageOf(score, maxScore, off)).toBe(expected);
  });
});
