import { maxDepth, maxValues } from './safeJson';

const charCode = (char: string): number => char.charCodeAt(0);
const quote = charCode('"');
const backslash = charCode('\\');
const comma = charCode(',');
const opening = new Set([charCode('['), charCode('{')]);
const closing = new Set([charCode(']'), charCode('}')]);

/** Returns the end of the string that begins at `start`: its closing quote, or the end of the text. */
function endOfString(raw: Buffer, start: number): number {
  let at = raw.indexOf(quote, start + 1);
  while (at !== -1) {
    let slashes = 0;
    while (raw[at - 1 - slashes] === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
    at = raw.indexOf(quote, at + 1);
  }
  return raw.length;
}

/**
 * Returns why a JSON text must not be parsed: nested deeper than 32 levels, or more than 25,000 values. Undefined for any
 * other text, valid or not.
 */
export function jsonDepthOrSizeError(raw: Buffer): string | undefined {
  let depth = 0;
  let commas = 0;
  for (let at = 0; at < raw.length; at += 1) {
    const byte = raw[at] ?? 0;
    if (byte === quote) at = endOfString(raw, at);
    else if (byte === comma) commas += 1;
    else if (opening.has(byte)) depth += 1;
    else if (closing.has(byte)) depth -= 1;
    if (depth > maxDepth) return `must not be nested deeper than ${maxDepth} levels`;
    if (commas >= maxValues) return `must hold at most ${maxValues} values`;
  }
  return undefined;
}
