import { randomInt } from 'node:crypto';

/** Omits characters that are easily confused in print or handwriting: of 0 O Q D, 1 I L, 2 Z, 5 S, 8 B, 6 G and U V at most one is included. */
const alphabet = '346789ACDEFHJKMNPRTVWXY';
const length = 16;

/** Blanks and hyphens that people and devices insert between the groups of a code. */
const separators = /[\s\p{Pd}]/gu;
const codePattern = new RegExp(`^[${alphabet}]{${length}}$`);

/** Returns a new random coupon code of 16 characters; with some 10^21 possible codes it cannot be guessed. */
export function newCode(): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** Returns the stored form of a typed code: any case, blanks and hyphens anywhere. Undefined if it cannot be a code. */
export function parseCode(typed: string): string | undefined {
  const code = typed.replaceAll(separators, '').toUpperCase();
  return codePattern.test(code) ? code : undefined;
}
