/** Limits of an endpoint's own limit, in deliveries per second. */
export const rateLimits = { min: 1, max: 1_000 } as const;
