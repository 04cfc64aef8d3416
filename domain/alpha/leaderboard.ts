/** Gives those who stand in the order of their points their ranks: the same points share one, and the next stands below as many as are before it. */
export function withRanks<Row extends { points: number }>(ordered: readonly Row[]): (Row & { rank: number })[] {
  let rank = 0;
  return ordered.map((row, nth) => {
    if (row.points !== ordered[nth - 1]?.points) rank = nth + 1;
    return { ...row, rank };
  });
}
