/** Maximum of one credit or spend, in cents: a million merits. */
export const maxMoveCents = 100_000_000;

/** Maximum allowance, in cents: ten billion merits, far below what a number holds exactly. */
export const maxAllowanceCents = 1_000_000_000_000;
