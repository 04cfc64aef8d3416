import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns a function that compares a text with `secret` in constant time, regardless of the text's length. */
export function secretMatcher(secret: string): (sent: string) => boolean {
  const expected = digest(secret);
  return (sent) => timingSafeEqual(digest(sent), expected);
}
