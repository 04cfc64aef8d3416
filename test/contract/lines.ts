import type { Statement } from './statements';

const isRuling = (line = ''): boolean => /^\|[-|]+\|$/.test(line);

/**
 * Returns the lines of the specification that need a statement: all but those that promise nothing by their form, which are
 * blank lines, headings, and the heads and rulings of tables.
 */
export function linesToAccountFor(specification: readonly string[]): string[] {
  return specification.filter((line, index) => line.trim() !== '' && !/^#+ /.test(line) && !isRuling(line) && !isRuling(specification[index + 1]));
}

/** Groups rows that quote the same line. */
function groupByLine(statements: readonly Statement[]): Statement[][] {
  const groups: Statement[][] = [];
  for (const statement of statements) {
    const last = groups.at(-1);
    if (statement.continues && last !== undefined) last.push(statement);
    else groups.push([statement]);
  }
  return groups;
}

/** Whether the line contains every quote, one after the other. */
function isQuotedBy(line: string, group: readonly Statement[]): boolean {
  let from = 0;
  return group.every(({ text }) => {
    const at = line.indexOf(text, from);
    from = at + text.length;
    return text !== '' && at >= 0;
  });
}

interface Pairing {
  fits(group: number, line: number): boolean;
  /** How many pairs are possible from this group and this line on. */
  pairsFrom(group: number, line: number): number;
}

/** Counts the pairs of groups and lines that keep both orders, as a longest common subsequence does. */
function pairUp(groups: readonly Statement[][], lines: readonly string[]): Pairing {
  const width = lines.length + 1;
  const counts = new Uint32Array((groups.length + 1) * width);
  const pairsFrom: Pairing['pairsFrom'] = (group, line) => counts[group * width + line] ?? 0;
  const fits: Pairing['fits'] = (group, line) => isQuotedBy(lines[line] ?? '', groups[group] ?? []);
  for (let group = groups.length - 1; group >= 0; group--) {
    for (let line = lines.length - 1; line >= 0; line--) {
      counts[group * width + line] = fits(group, line) ? pairsFrom(group + 1, line + 1) + 1 : Math.max(pairsFrom(group + 1, line), pairsFrom(group, line + 1));
    }
  }
  return { fits, pairsFrom };
}

interface MatchedLines {
  /** The line that each statement quotes, by the statement's name. */
  lineOf: Map<string, string>;
  /** Lines that no statement quotes. */
  unaccounted: string[];
  /** Names of statements that quote no line, or none in their place. */
  unmatched: string[];
}

/**
 * Matches the rows of the list to the lines of the specification by their text. Both keep their order, and as many lines as
 * possible are matched: a line that is added, changed or removed leaves the matches of all others as they are.
 */
export function matchLines(specification: readonly string[], statements: readonly Statement[]): MatchedLines {
  const lines = linesToAccountFor(specification);
  const groups = groupByLine(statements);
  const { fits, pairsFrom } = pairUp(groups, lines);
  const matched: MatchedLines = { lineOf: new Map(), unaccounted: [], unmatched: [] };
  let line = 0;
  for (const [index, group] of groups.entries()) {
    while (line < lines.length && !fits(index, line) && pairsFrom(index, line + 1) >= pairsFrom(index + 1, line)) matched.unaccounted.push(lines[line++] ?? '');
    if (line < lines.length && fits(index, line)) {
      for (const { name } of group) matched.lineOf.set(name, lines[line] ?? '');
      line++;
    } else {
      matched.unmatched.push(...group.map(({ name }) => name));
    }
  }
  matched.unaccounted.push(...lines.slice(line));
  return matched;
}
