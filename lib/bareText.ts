/** A whole id within a text: in a URL, or behind the name of its field. */
export const embeddedId = /(?<![a-z0-9_])[a-z]{2,4}_[a-z0-9]{26}(?![a-z0-9_])/g;

/** An id, or the id at the beginning of a workflow's id: `whd_…:2`, `we_…:3@epoch`. */
export const idForm = /^(([a-z]+)_[a-z0-9_]{1,100})(?::[\w:.-]*)?(?:@[\w-]+)?$/;

/**
 * Returns a typed id, email or name in small letters, as ids and login emails are stored, without the blanks, quotes and
 * punctuation around it that ids have when they are copied from an email or a log; of a text that has one id within it, that id.
 */
export function bareText(typed: string): string {
  const text = typed.trim().replaceAll(/^["'`<([]+|["'`>)\].,;…]+$/g, '').toLowerCase();
  if (idForm.test(text)) return text;
  const ids = new Set(text.match(embeddedId));
  const [id] = ids;
  return id !== undefined && ids.size === 1 ? id : text.replace(/^mailto:/, '').replaceAll(/\s+/g, ' ');
}
