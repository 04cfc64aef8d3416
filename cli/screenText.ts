/** Control characters, and those that turn the direction of a line: a terminal must not be led by what others wrote. */
const leading = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text on one line of a terminal: what would move the cursor, or turn the line around, is written out. */
export const onScreen = (text: string): string => text.replaceAll(leading, escaped);

/** One JSON document, still the same when parsed; whatever a terminal would obey is escaped. */
export const jsonOnScreen = (value: unknown): string => `${JSON.stringify(value, null, 2).split('\n').map(onScreen).join('\n')}\n`;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const plain = /^[\x20-\x7e]*$/;

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  return [...graphemes.segment(text)].reduce((width, { segment }) => width + (wide.test(segment) ? 2 : 1), 0);
}
