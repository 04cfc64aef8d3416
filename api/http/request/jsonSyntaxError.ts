/** What a JSON text may contain at a position; after `[` and `{` also their ends. */
type ExpectedToken = 'value' | 'first item' | 'key' | 'first key' | 'colon' | 'comma or end';

/** Where a string, number or literal ends, and whether it is complete; an invalid one ends at its first wrong character. */
interface ScanResult {
  end: number;
  isComplete: boolean;
}

const literals = ['true', 'false', 'null'];

/** Returns the end of a sticky pattern's match at a position; `at` itself if it does not match. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function scanString(text: string, start: number): ScanResult {
  for (let at = start + 1; ; ) {
    at = matchEnd(/[^"\\\u0000-\u001f]+/y, text, at);
    if (text[at] === '"') return { end: at + 1, isComplete: true };
    const escaped = matchEnd(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y, text, at);
    if (escaped === at) return { end: matchEnd(/\\(?:u[0-9a-fA-F]{0,3})?/y, text, at), isComplete: false };
    at = escaped;
  }
}

function scanNumber(text: string, start: number): ScanResult {
  const end = matchEnd(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y, text, start);
  const broken = matchEnd(end === start ? /-/y : /\.|[eE][+-]?/y, text, end);
  return { end: broken, isComplete: end > start && broken === end };
}

function scanLiteral(text: string, start: number): ScanResult {
  const word = literals.find((one) => text.startsWith(one.charAt(0), start)) ?? '';
  let length = 0;
  while (length < word.length && text[start + length] === word[length]) length += 1;
  return { end: start + length, isComplete: length > 0 && length === word.length };
}

function scanScalar(text: string, start: number): ScanResult {
  const char = text[start] ?? '';
  if (char === '"') return scanString(text, start);
  return /[-0-9]/.test(char) ? scanNumber(text, start) : scanLiteral(text, start);
}

const closingBracket = { '{': '}', '[': ']' } as const;

/** Returns the position at which a text stops being JSON: its first invalid character, or its end if it is incomplete. */
function syntaxErrorOffset(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: ExpectedToken = 'value';
  for (let at = 0; ; ) {
    at = matchEnd(/[ \t\r\n]+/y, text, at);
    const char = text[at];
    const inside = open.at(-1);
    const mayEnd = expected === 'comma or end' || expected === 'first item' || expected === 'first key';
    if (mayEnd && inside !== undefined && char === closingBracket[inside]) {
      open.pop();
      expected = 'comma or end';
      at += 1;
    } else if (expected === 'comma or end' || expected === 'colon') {
      if (inside === undefined || char !== (expected === 'colon' ? ':' : ',')) return at;
      expected = expected === 'colon' || inside === '[' ? 'value' : 'key';
      at += 1;
    } else if ((char === '{' || char === '[') && (expected === 'value' || expected === 'first item')) {
      open.push(char);
      expected = char === '{' ? 'first key' : 'first item';
      at += 1;
    } else {
      const isKey: boolean = expected === 'key' || expected === 'first key';
      if (isKey && char !== '"') return at;
      const { end, isComplete } = scanScalar(text, at);
      if (!isComplete) return end;
      expected = isKey ? 'colon' : 'comma or end';
      at = end;
    }
  }
}

/** Returns line and column, both from 1, of the first syntax error of a JSON text. */
export function jsonSyntaxErrorPosition(text: string): { line: number; column: number } {
  const before = text.slice(0, syntaxErrorOffset(text));
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
}
