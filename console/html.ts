/** Markup that is safe to send: made by {@link html} alone. */
export class Html {
  constructor(readonly text: string) {}
}

/** What may stand in a template: text and numbers are escaped, markup and lists of markup are not, nothing is nothing. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

// What HTML has no place for: a browser would read other characters there, or none.
const invalidCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

function renderValue(part: HtmlValue): string {
  if (part instanceof Html) return part.text;
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return part.toWellFormed().replaceAll(invalidCharacters, '\ufffd').replaceAll(/[&<>"']/g, (found) => escapes[found] ?? '');
  return part.map(renderValue).join('');
}

/** Markup with escaped values; attributes must stand in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlValue[]): Html {
  return new Html(strings.map((text, index) => (index === 0 ? '' : renderValue(parts[index - 1])) + text).join(''));
}
