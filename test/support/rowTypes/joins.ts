/** How a statement joins a table: so that each row has one of it, or may have none, or the one here and the other there. */
export type Join = 'inner' | 'outer' | 'both';

/** Words and marks of a statement; texts and comments say nothing of its joins. */
const tokensOf = (sql: string): string[] =>
  sql.replace(/--[^\n]*/g, ' ').replace(/'(?:[^']|'')*'/g, " '' ").toLowerCase().match(/[a-z_][a-z0-9_]*|[(),]/g) ?? [];

/** The place after the parenthesis that closes the one at a place. */
function afterParenthesis(tokens: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    if (tokens[at] === '(') depth += 1;
    if (tokens[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}

const beforeTable = new Set(['from', 'join', 'update', 'into', 'only', 'using', ',']);

/** How a statement joins its tables, as far as its words tell: LEFT JOIN of a table, of a subquery, or of a part that it has WITH. */
export function joins(sql: string): (table: string) => Join {
  const tokens = tokensOf(sql);
  const outer = new Set<number>();
  const add = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) {
      if (outer.has(at)) continue;
      outer.add(at);
      // `name AS (…)` elsewhere in the statement is what the name stands for.
      tokens.forEach((token, nth) => {
        if (token !== tokens[at] || !/^as (?:not )?(?:materialized )?\(/.test(tokens.slice(nth + 1, nth + 5).join(' '))) return;
        const opens = tokens.indexOf('(', nth);
        add(opens, afterParenthesis(tokens, opens));
      });
    }
  };
  tokens.forEach((token, nth) => {
    if (token !== 'join') return;
    const side = tokens[nth - 1] === 'outer' ? tokens[nth - 2] : tokens[nth - 1];
    if (side === 'right' || side === 'full') add(0, tokens.length);
    if (side !== 'left') return;
    const joined = tokens[nth + 1] === 'lateral' ? nth + 2 : nth + 1;
    add(joined, tokens[joined] === '(' ? afterParenthesis(tokens, joined) : joined + 1);
  });
  return (table) => {
    const places = tokens.flatMap((token, nth) => (token === table && beforeTable.has(tokens[nth - 1] ?? '') ? [nth] : []));
    const outerPlaces = places.filter((nth) => outer.has(nth));
    if (outerPlaces.length === 0) return 'inner';
    return outerPlaces.length === places.length ? 'outer' : 'both';
  };
}
