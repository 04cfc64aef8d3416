const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long a code is valid, in ms. */
export const codeLifetimeMs = 10 * minuteMs;

/** Wrong tries after which a code is worth nothing. */
export const triesPerCode = 5;

/** Codes that an account is given in one period of this many ms. */
export const codesPerPeriod = { codes: 5, periodMs: hourMs } as const;

/** Wrong tries in one period of this many ms after which no code of the account opens a session. */
export const wrongTriesPerPeriod = { tries: 10, periodMs: 24 * hourMs } as const;

/** How long a session lives, in ms. */
export const sessionLifetimeMs = 12 * hourMs;

/** How long after its end, in ms, a session's app hears at its heartbeat that it is signed out. */
export const signedOutGraceMs = 24 * hourMs;
