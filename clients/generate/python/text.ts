const maxLineLength = 118;

/** Breaks a text into lines that fit behind so many spaces. */
export function wrap(text: string, indent: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && indent + last.length + 1 + word.length <= maxLineLength) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const escape = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');

/** Returns a docstring of these lines. */
export function docstring(lines: readonly string[], indent: number): string {
  const space = ' '.repeat(indent);
  const [first = '', ...rest] = lines.map(escape);
  if (rest.length === 0) return `${space}"""${first}"""\n`;
  return `${space}"""${first}\n${rest.map((line) => (line === '' ? '\n' : `${space}${line}\n`)).join('')}${space}"""\n`;
}

/** Returns the docstring of a class or a field; empty without a description. */
export const comment = (description: string | undefined, indent: number): string => (description === undefined || description === '' ? '' : docstring(wrap(description, indent), indent));
