/** Maximum minutes that a `since` may be ahead: clocks differ. */
export const maxSinceMinutesAhead = 5;

/** Whether a `since` is too far ahead. */
export const isTooFarAhead = (since: Date, now: Date): boolean => since.getTime() > now.getTime() + maxSinceMinutesAhead * 60_000;

/** The error message of such a `since`, after the name of its field. */
export const tooFarAheadMessage = `must be at most ${maxSinceMinutesAhead} minutes ahead of the service's clock; a sandbox has a clock of its own, GET /v1/sandbox/clock`;
