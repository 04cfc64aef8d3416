/** Returns the value below which `part` (0 to 1) of the samples are. */
export function quantile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));
