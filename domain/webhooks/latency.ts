/** Upper bounds of the latency histogram, in ms: each counts responses within it and above the bound before; the last one is the limit of an exchange. */
export const latencyBoundsMs = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

/**
 * Returns the latency, in whole ms, within which the given part (0 to 1) of the responses arrived, interpolated within its
 * range of the histogram `counts`; null without responses.
 */
export function latencyPercentile(counts: readonly number[], part: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = part * total;
  let below = 0;
  for (const [index, bound] of latencyBoundsMs.entries()) {
    const count = counts[index] ?? 0;
    if (count > 0 && below + count >= wanted) {
      const lower = latencyBoundsMs[index - 1] ?? 0;
      return Math.ceil(lower + (bound - lower) * Math.max(0, (wanted - below) / count));
    }
    below += count;
  }
  return latencyBoundsMs[latencyBoundsMs.length - 1] ?? null;
}
