/** A number of up to two decimals as a whole number of hundredths. */
const hundredths = (value: number): bigint => BigInt(Math.round(value * 100));

/**
 * The final percentage of a score: score / max_score × 100 × (1 − penalty / 100), rounded half up to two decimals
 * (section Submission). All three have up to two decimals, and it is reckoned in whole numbers: no binary fraction
 * tips a half the wrong way.
 */
export function percentageOf(score: number, maxScore: number, penaltyPercentage: number): number {
  const [part, whole, kept] = [hundredths(score), hundredths(maxScore), 10_000n - hundredths(penaltyPercentage)];
  // part / whole × 100 × kept / 10,000 in hundredths is part × kept / whole; a half is added before the rest is cut off.
  return Number((2n * part * kept + whole) / (2n * whole)) / 100;
}
