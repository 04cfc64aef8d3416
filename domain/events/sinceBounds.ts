/** How far a moment from which on is asked may lie ahead, in minutes: clocks differ. */
export const maxSinceMinutesAhead = 5;

/** Whether a moment from which on is asked lies too far ahead. */
export const isTooFarAhead = (since: Date, now: Date): boolean => since.getTime() > now.getTime() + maxSinceMinutesAhead * 60_000;

/** What is said of one that does, after the name of its field. */
export const tooFarAheadMessage = `must be at most ${maxSinceMinutesAhead} minutes ahead`;
