/** Adds ranks to rows ordered by points: equal points share a rank, and the next rank skips as many places as were shared. */
export function withRanks<Row extends { points: number }>(ordered: readonly Row[]): (Row & { rank: number })[] {
  let rank = 0;
  return ordered.map((row, nth) => {
    if (row.points !== ordered[nth - 1]?.points) rank = nth + 1;
    return { ...row, rank };
  });
}
