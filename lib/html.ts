/** Markup that is safe to send; only {@link html} creates it. */
export class Html {
  constructor(readonly text: string) {}
}

/** A value in a template: text and numbers are escaped, markup and lists of markup are not, null, undefined and false are empty. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

// Characters that HTML does not allow: a browser would show others, or none.
const invalidCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

function renderValue(part: HtmlValue): string {
  if (part instanceof Html) return part.text;
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return part.toWellFormed().replaceAll(invalidCharacters, '\ufffd').replaceAll(/[&<>"']/g, (found) => escapes[found] ?? '');
  return part.map(renderValue).join('');
}

/** Returns markup with escaped values. Attributes must be in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlValue[]): Html {
  return new Html(strings.map((text, index) => (index === 0 ? '' : renderValue(parts[index - 1])) + text).join(''));
}
