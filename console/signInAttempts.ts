/** Counts wrong tries to sign in, all callers together: in memory, for one process. */
export interface SignInAttempts {
  /** How many seconds nobody may try any more; 0 when one may. */
  retryAfterSeconds(now: Date): number;
  recordFailure(now: Date): void;
}

/** So many wrong tries within one window, in ms, and the rest of it is closed to everybody. */
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
