/** Returns a number of up to two decimals as a whole number of hundredths. */
const hundredths = (value: number): bigint => BigInt(Math.round(value * 100));

/**
 * Returns the final percentage of a score: score / max_score × 100 × (1 − penalty / 100), rounded half up to two decimals
 * (section Submission). All three have up to two decimals, and the computation uses whole numbers, so that no binary
 * fraction changes the rounding of a half.
 */
export function percentageOf(score: number, maxScore: number, penaltyPercentage: number): number {
  const [part, whole, kept] = [hundredths(score), hundredths(maxScore), 10_000n - hundredths(penaltyPercentage)];
  // part / whole × 100 × kept / 10,000 in hundredths is part × kept / whole; adding a half before truncation rounds half up.
  return Number((2n * part * kept + whole) / (2n * whole)) / 100;
}
