import fc from 'fast-check';
import { latencyBoundsMs, latencyPercentile } from '../../../domain/webhooks/latency';

const counts = fc.array(fc.nat(1_000), { minLength: latencyBoundsMs.length, maxLength: latencyBoundsMs.length });

describe('the percentile of a histogram of latencies', () => {
  it('is null without responses', () => {
    expect(latencyPercentile(latencyBoundsMs.map(() => 0), 0.5)).toBeNull();
  });

  it.each([
    [[10, 0, 0, 0, 0, 0, 0, 0], 0.5, 25],
    [[0, 0, 0, 4, 0, 0, 0, 0], 0.5, 375],
    [[50, 50, 0, 0, 0, 0, 0, 0], 0.95, 95],
    [[0, 0, 0, 0, 0, 0, 0, 1], 0.95, 9_750],
  ])('is interpolated within its range: %j at %d is %d ms', (histogram, part, expected) => {
    expect(latencyPercentile(histogram, part)).toBe(expected);
  });

  it('is in a range that has responses, and as many are within it as wanted', () => {
    fc.assert(fc.property(counts, fc.double({ min: 0.01, max: 1, noNaN: true }), (histogram, part) => {
      const total = histogram.reduce((sum, count) => sum + count, 0);
      fc.pre(total > 0);
      const value = latencyPercentile(histogram, part) ?? -1;
      const range = latencyBoundsMs.findIndex((bound) => value <= bound);
      const within = histogram.slice(0, range + 1).reduce((sum, count) => sum + count, 0);
      expect(value).toBeGreaterThanOrEqual(0);
      expect(within).toBeGreaterThanOrEqual(Math.floor(part * total));
    }));
  });

  it('grows with the part', () => {
    fc.assert(fc.property(counts, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (histogram, one, other) => {
      fc.pre(histogram.some((count) => count > 0));
      const [smaller, larger] = [Math.min(one, other), Math.max(one, other)];
      expect(latencyPercentile(histogram, smaller)).toBeLessThanOrEqual(latencyPercentile(histogram, larger) ?? 0);
    }));
  });
});
