const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long a code is valid, in ms. */
export const codeLifetimeMs = 10 * minuteMs;

/** Wrong attempts after which a code is invalid. */
export const triesPerCode = 5;

/** Codes that an account gets per period of this many ms. */
export const codesPerPeriod = { codes: 5, periodMs: hourMs } as const;

/** Wrong attempts per period of this many ms after which the account is locked. */
export const wrongTriesPerPeriod = { tries: 10, periodMs: 24 * hourMs } as const;

/** How long an account is locked after the last wrong attempt, in ms. */
export const lockPeriodMs = hourMs;

/** Maximum number of live sessions of a person; a further one ends the oldest. */
export const maxSessions = 20;

/** Lifetime of a session, in ms. */
export const sessionLifetimeMs = 12 * hourMs;

/** How long after its end, in ms, a session's heartbeats get the response "signed out". */
export const signedOutGraceMs = 24 * hourMs;
