import { newReadableCode, parseReadableCode } from '../../lib/readableCode';

const length = 16;

/** Returns a new random coupon code of 16 characters; with some 10^21 possible codes it cannot be guessed. */
export const newCode = (): string => newReadableCode(length);

/** Returns the stored form of a typed code: any case, blanks and hyphens anywhere. Undefined if it cannot be a code. */
export const parseCode = (typed: string): string | undefined => parseReadableCode(typed, length);
