/** What may stand at a place of a JSON text; after `[` and `{` their ends too. */
type Wanted = 'value' | 'first item' | 'key' | 'first key' | 'colon' | 'comma or end';

/** How far a string, number or word reaches, and whether it is a whole one; a broken one reaches to what is wrong with it. */
interface Reach {
  to: number;
  whole: boolean;
}

const words = ['true', 'false', 'null'];

/** Where the match of a sticky pattern ends that begins here; `at` itself where there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function stringFrom(text: string, start: number): Reach {
  for (let at = start + 1; ; ) {
    at = endOf(/[^"\\\u0000-\u001f]+/y, text, at);
    if (text[at] === '"') return { to: at + 1, whole: true };
    const escaped = endOf(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y, text, at);
    if (escaped === at) return { to: endOf(/\\(?:u[0-9a-fA-F]{0,3})?/y, text, at), whole: false };
    at = escaped;
  }
}

function numberFrom(text: string, start: number): Reach {
  const end = endOf(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y, text, start);
  const broken = endOf(end === start ? /-/y : /\.|[eE][+-]?/y, text, end);
  return { to: broken, whole: end > start && broken === end };
}

function wordFrom(text: string, start: number): Reach {
  const word = words.find((one) => text.startsWith(one.charAt(0), start)) ?? '';
  let length = 0;
  while (length < word.length && text[start + length] === word[length]) length += 1;
  return { to: start + length, whole: length > 0 && length === word.length };
}

function scalarFrom(text: string, start: number): Reach {
  const sign = text[start] ?? '';
  if (sign === '"') return stringFrom(text, start);
  return /[-0-9]/.test(sign) ? numberFrom(text, start) : wordFrom(text, start);
}

const endSign = { '{': '}', '[': ']' } as const;

/** Where a text stops being JSON: the place of the first character that cannot stand there, or the end of a text that ends too early. */
function faultIn(text: string): number {
  const open: ('{' | '[')[] = [];
  let wanted: Wanted = 'value';
  for (let at = 0; ; ) {
    at = endOf(/[ \t\r\n]+/y, text, at);
    const sign = text[at];
    const inside = open.at(-1);
    const mayEnd = wanted === 'comma or end' || wanted === 'first item' || wanted === 'first key';
    if (mayEnd && inside !== undefined && sign === endSign[inside]) {
      open.pop();
      wanted = 'comma or end';
      at += 1;
    } else if (wanted === 'comma or end' || wanted === 'colon') {
      if (inside === undefined || sign !== (wanted === 'colon' ? ':' : ',')) return at;
      wanted = wanted === 'colon' || inside === '[' ? 'value' : 'key';
      at += 1;
    } else if ((sign === '{' || sign === '[') && (wanted === 'value' || wanted === 'first item')) {
      open.push(sign);
      wanted = sign === '{' ? 'first key' : 'first item';
      at += 1;
    } else {
      const isKey: boolean = wanted === 'key' || wanted === 'first key';
      if (isKey && sign !== '"') return at;
      const { to, whole } = scalarFrom(text, at);
      if (!whole) return to;
      wanted = isKey ? 'colon' : 'comma or end';
      at = to;
    }
  }
}

/** Line and column, both from 1, at which a text that is not JSON breaks. */
export function jsonFault(text: string): { line: number; column: number } {
  const before = text.slice(0, faultIn(text));
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
}
