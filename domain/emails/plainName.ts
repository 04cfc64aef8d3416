/** What mail programs read as a dot, a slash, a colon or an at sign; of the dots those that domain names may have. */
const linkCharacters: readonly (readonly [RegExp, string])[] = [
  [/[@\uff20\ufe6b]/g, ' at '],
  [/[/\\\uff0f\uff3c\u2044\u2215]/g, '-'],
  // Behind a word they make no link: Dr. Ada, St. Mary.
  [/[.\uff0e\u3002\uff61\u2024\ufe52:\uff1a\ufe55](?!\s|$)/g, ' '],
];

/**
 * Returns a name, as somebody has entered it, for an email: mail programs make no link of any part of it. At signs are
 * spelled out, slashes become hyphens, dots and colons within a word blanks.
 */
export function toPlainName(name: string): string {
  const plain = linkCharacters.reduce((text, [characters, spelled]) => text.replaceAll(characters, spelled), name);
  return plain.replaceAll(/ {2,}/g, ' ').trim();
}

/** Returns the name of a person for an email; a login email, which stands for a missing name, is one of the service and stays. */
export const plainNameOf = ({ name, login_email }: { name: string; login_email: string }): string => (name === login_email ? name : toPlainName(name));
