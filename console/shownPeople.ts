import type { Session } from './session';

/** Maximum number of people on pages that are remembered; the oldest are forgotten first, and recorded again. */
const maxRemembered = 10_000;

/** Says whether this process has recorded before that a session was shown a person on a page, and remembers it. */
export type WasShown = (session: Session, route: string, subject: string) => boolean;

/** Returns a memory of whom sessions were shown. */
export function rememberShown(): WasShown {
  const shown = new Set<string>();
  return ({ id }, route, subject) => {
    const key = `${id} ${route} ${subject}`;
    if (shown.has(key)) return true;
    shown.add(key);
    for (const oldest of shown) {
      if (shown.size <= maxRemembered) break;
      shown.delete(oldest);
    }
    return false;
  };
}
