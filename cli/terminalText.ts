/**
 * Control characters, and characters that change the direction of a line or are invisible: text from others must mislead
 * neither the terminal nor its reader. Those that join letters and emojis (U+200C, U+200D) are part of the text.
 */
const controlCharacters = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Escapes a character as JSON does, each code unit by itself. */
const escapeCharacter = (character: string): string => character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Returns a text for one line of a terminal; characters that move the cursor or change the direction are escaped. */
export const escapeControlCharacters = (text: string): string => text.replaceAll(controlCharacters, escapeCharacter);

/** Returns JSON in which every character that a terminal would obey is escaped; it parses to the same value. */
export const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2).split('\n').map(escapeControlCharacters).join('\n')}\n`;

/** Returns the same on one line. */
export const formatJsonLine = (value: unknown): string => `${escapeControlCharacters(JSON.stringify(value))}\n`;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const wideCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const printableAscii = /^[\x20-\x7e]*$/;

/** Returns how many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  return [...graphemes.segment(text)].reduce((width, { segment }) => width + (wideCharacter.test(segment) ? 2 : 1), 0);
}
