const units: readonly [name: string, seconds: number][] = [['d', 86_400], ['h', 3_600], ['min', 60], ['s', 1]];

/** Up to three of the first, a length of time has the second, too. */
const pairs: readonly [larger: number, smaller: number][] = [[0, 1], [1, 2]];

/** Returns a length in two units, where it has between one and three of the larger one, and a part that is not whole. */
function inTwoUnits(seconds: number, [larger, smaller]: readonly [number, number]): string | undefined {
  const [[name, size], [partName, partSize]] = [units[larger] ?? ['', 1], units[smaller] ?? ['', 1]];
  const ratio = size / partSize;
  const parts = Math.round(seconds / partSize);
  return parts > ratio && parts < 3 * ratio && parts % ratio > 0 ? `${Math.floor(parts / ratio)} ${name} ${parts % ratio} ${partName}` : undefined;
}

/**
 * Returns a length of time, rounded, in the largest unit that fits, as "4 min"; below three days with its hours, as "1 d 22 h", and
 * below three hours with its minutes. What lacks less than half of the next smaller unit is whole: a year that began a minute ago has
 * 365 days left.
 */
export function formatSpan(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  const exact = pairs.map((pair) => inTwoUnits(seconds, pair)).find((words) => words !== undefined);
  if (exact !== undefined) return exact;
  const [name, size] = units.find(([, of], index) => seconds >= of - (units[index + 1]?.[1] ?? 0) / 2) ?? ['s', 1];
  return `${Math.round(seconds / size)} ${name}`;
}

/** Below this a delay has its seconds. */
const exactBelowMs = 600_000;

/** Returns how late something was: below ten minutes to the second, as "2 min 38 s"; a longer time as `formatSpan` does. */
export function formatDelay(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (ms >= exactBelowMs || seconds < 60) return formatSpan(ms);
  return `${Math.floor(seconds / 60)} min${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`;
}
