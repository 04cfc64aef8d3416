/** A row that failed, by its index in the call. */
interface FailedRow {
  index: number;
  reason: string;
}

/** Returns the failed rows of a bulk call by why they failed, in the order in which the reasons occur. */
export function indexesByReason(rows: readonly FailedRow[]): { reason: string; indexes: number[] }[] {
  const found = new Map<string, number[]>();
  for (const { reason, index } of rows) found.set(reason, [...(found.get(reason) ?? []), index]);
  return [...found].map(([reason, indexes]) => ({ reason, indexes }));
}
