/** Counts failed sign-in attempts of all callers together, in memory, for one process. */
export interface SignInAttempts {
  /** Returns for how many seconds the form stays closed; 0 if it is open. */
  retryAfterSeconds(now: Date): number;
  recordFailure(now: Date): void;
}

/** After `max` failures within `windowMs`, the form is closed for the remaining window. */
const limit = { max: 10, windowMs: 60_000 };

export function createSignInAttempts(): SignInAttempts {
  let failedAt: number[] = [];
  const recent = (now: Date): number[] => failedAt.filter((at) => at > now.getTime() - limit.windowMs);
  return {
    retryAfterSeconds: (now) => {
      failedAt = recent(now);
      const [oldest] = failedAt;
      return oldest === undefined || failedAt.length < limit.max ? 0 : Math.max(1, Math.ceil((oldest + limit.windowMs - now.getTime()) / 1_000));
    },
    recordFailure: (now) => {
      failedAt = [...recent(now), now.getTime()].slice(-limit.max);
    },
  };
}
