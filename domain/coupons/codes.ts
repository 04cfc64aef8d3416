import { randomInt } from 'node:crypto';

/** No two that are taken for one another in print or by hand: of 0 O Q D, 1 I L, 2 Z, 5 S, 8 B, 6 G and U V at most one is here. */
const alphabet = '346789ACDEFHJKMNPRTVWXY';
const length = 16;

/** Blanks and hyphens that people and their devices put between the groups of a code. */
const separators = /[\s\p{Pd}]/gu;
const codePattern = new RegExp(`^[${alphabet}]{${length}}$`);

/** A new coupon code: 16 characters by chance, which nobody guesses: there are some 10^21. */
export function newCode(): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** A code as it is kept, from how somebody typed it: in any case, with blanks and hyphens anywhere. Undefined for what cannot be one. */
export function parseCode(typed: string): string | undefined {
  const code = typed.replaceAll(separators, '').toUpperCase();
  return codePattern.test(code) ? code : undefined;
}
