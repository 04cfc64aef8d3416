/**
 * Control characters, and those that turn the direction of a line or that nobody sees: neither a terminal nor its reader
 * must be led by what others wrote. Those that join letters and emojis (U+200C, U+200D) are part of what is written.
 */
const controlCharacters = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** As JSON escapes it: a code unit each. */
const escapeCharacter = (character: string): string => character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** A text on one line of a terminal: what would move the cursor, or turn the line around, is written out. */
export const escapeControlCharacters = (text: string): string => text.replaceAll(controlCharacters, escapeCharacter);

/** One JSON document, still the same when parsed; whatever a terminal would obey is escaped. */
export const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2).split('\n').map(escapeControlCharacters).join('\n')}\n`;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const wideCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const printableAscii = /^[\x20-\x7e]*$/;

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  return [...graphemes.segment(text)].reduce((width, { segment }) => width + (wideCharacter.test(segment) ? 2 : 1), 0);
}
