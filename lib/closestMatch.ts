const maxLength = 64;

/** The number of characters to insert, delete, replace or swap with their neighbour that lead from one text to the other. */
function distance(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_none, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1] ? (before[column - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}

/** How much of a text may be mistyped. */
const tolerance = (text: string): number => Math.min(3, Math.floor(text.length / 3));

/** The words of a name such as `endpoint_id`, in the singular. */
const wordsOf = (name: string): string[] => name.toLowerCase().split(/[_.]/).filter((word) => word !== '*').map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));

/** What makes the opposite of a word. */
const negation = /^(?:in|un|de|dis|non[-_]?)$/;

/** Whether a text is the opposite of a candidate, such as `inactive` of `active`: the one thing that is not meant. */
const isOpposite = (text: string, candidate: string): boolean => text.endsWith(candidate) && negation.test(text.slice(0, -candidate.length));

/** The only candidate that has all the words of a text, or whose words it has all: `email` is `personal_email`. */
function sameWords(text: string, candidates: readonly string[]): string | undefined {
  const words = wordsOf(text);
  const matching = candidates.filter((candidate) => {
    const others = wordsOf(candidate);
    const [fewer, more] = words.length < others.length ? [words, others] : [others, words];
    return fewer.length > 0 && fewer.every((word) => more.includes(word));
  });
  return matching.length === 1 ? matching[0] : undefined;
}

/**
 * Returns the candidate that a text was most likely to be: a third of its characters differ at most, three in all, their case
 * aside; else the only one of the same words; never its opposite. Undefined if there is none, and for texts of more than 64 characters, which
 * bounds the work.
 */
function closestMatch(text: string, candidates: readonly string[]): string | undefined {
  if (text.length > maxLength) return undefined;
  let best: string | undefined;
  let most = tolerance(text);
  const typed = text.toLowerCase();
  for (const candidate of candidates) {
    if (isOpposite(typed, candidate.toLowerCase())) continue;
    if (Math.abs(candidate.length - text.length) > most || candidate.length > maxLength) continue;
    const found = distance(typed, candidate.toLowerCase());
    if (found > most || candidate === text) continue;
    best = candidate;
    most = found - 1;
  }
  return best ?? sameWords(text, candidates.filter((candidate) => candidate !== text));
}

/**
 * Returns what names the closest candidate behind a text: ` (did you mean full_name?)`. Empty without one. A candidate that
 * `otherNames` has for the text comes first: `per_page` is nearer to `page` than to `limit`, which it means. So does the pattern
 * whose prefix the text is: `exam` stands for `exam.*`.
 */
export function didYouMean(text: string, candidates: Iterable<string>, otherNames: Readonly<Record<string, string>> = {}): string {
  const known = [...candidates];
  const meant = Object.hasOwn(otherNames, text) ? otherNames[text] : `${text}.*`;
  const match = meant !== undefined && known.includes(meant) ? meant : closestMatch(text, known);
  return match === undefined ? '' : ` (did you mean ${match}?)`;
}
