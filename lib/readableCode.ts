import { randomInt } from 'node:crypto';

/** Omits characters that are easily confused in print or handwriting: of 0 O Q D, 1 I L, 2 Z, 5 S, 8 B, 6 G and U V at most one is included. */
const alphabet = '346789ACDEFHJKMNPRTVWXY';

/** Blanks and hyphens that people and devices insert between the groups of a code. */
const separators = /[\s\p{Pd}]/gu;

/** Returns a new random code of that many characters, each with 4.5 bits. */
export function newReadableCode(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** Returns the stored form of a typed code: any case, blanks and hyphens anywhere. Undefined if it cannot be a code of that length. */
export function parseReadableCode(typed: string, length: number): string | undefined {
  const code = typed.replaceAll(separators, '').toUpperCase();
  return code.length === length && Array.from(code).every((character) => alphabet.includes(character)) ? code : undefined;
}
