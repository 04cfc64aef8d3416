/** Limits of an endpoint's own limit, in deliveries per second. */
export const rateLimits = { min: 1, max: 1_000 } as const;

/** Says how many deliveries a rate limit lets through. */
export const rateLimitText = (rateLimit: number): string => (rateLimit === 1 ? '1 delivery per second' : `${rateLimit.toLocaleString('en')} deliveries per second`);
