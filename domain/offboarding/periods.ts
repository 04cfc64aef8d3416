/** How long an institution that leaves is read-only before its data is erased, in ms. */
export const readOnlyMs = 30 * 86_400_000;

/**
 * How long an erasure takes at least, in ms: within it end the calls that were let in before it began, reads are written to the record
 * of disclosures, and the counters of the rate limiter expire, which Redis keeps for two minutes.
 */
export const minimumErasureMs = 3 * 60_000;
