/** Limits of a free JSON value: serialised bytes, and levels of nesting (an empty object is one level). */
export interface JsonBounds {
  bytes: number;
  levels: number;
}

interface Visit {
  value: unknown;
  level: number;
}

/** Whether a JSON column can store a text: no NUL and no unpaired surrogate. */
const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/** Whether JSON writes a number without an exponent. The database writes all digits: 309 for 1e308. */
export const isPlainDecimal = (number: number): boolean => number === 0 || (Math.abs(number) >= 1e-6 && Math.abs(number) < 1e21);

function nodeError({ value, level }: Visit, levels: number): string | undefined {
  if (typeof value === 'string' && !isStorableText(value)) return 'must contain only well-formed text without NUL';
  if (typeof value === 'number' && !isPlainDecimal(value)) return 'must contain only numbers that are 0 or have a magnitude from 0.000001 to below 1e21';
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > levels) return `must be nested at most ${levels} levels deep`;
  return Object.keys(value).every(isStorableText) ? undefined : 'must have well-formed keys without NUL';
}

const childrenOf = ({ value, level }: Visit): Visit[] =>
  typeof value === 'object' && value !== null ? Object.values(value).map((child: unknown) => ({ value: child, level: level + 1 })) : [];

/** Returns why a parsed JSON value cannot be stored; undefined if it can. Iterative, not recursive. */
export function jsonError(root: unknown, { bytes, levels }: JsonBounds): string | undefined {
  const waiting: Visit[] = [{ value: root, level: 1 }];
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    const error = nodeError(visit, levels);
    if (error !== undefined) return error;
    for (const child of childrenOf(visit)) waiting.push(child);
  }
  const size = Buffer.byteLength(JSON.stringify(root));
  return size > bytes ? `must be at most ${bytes} bytes of JSON` : undefined;
}
