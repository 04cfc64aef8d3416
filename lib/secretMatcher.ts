import { timingSafeEqual } from 'node:crypto';
import { hashToken } from './hashToken';

/** Returns a function that says whether a text is one of `secrets`, in constant time, regardless of the text's length. */
export function secretMatcher(...secrets: readonly string[]): (sent: string) => boolean {
  const expected = secrets.map(hashToken);
  // Each is compared, so that the time does not say which one it is.
  return (sent) => expected.filter((secret) => timingSafeEqual(hashToken(sent), secret)).length > 0;
}
