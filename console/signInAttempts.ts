/** Counts wrong tries to sign in, all callers together: in memory, for one process. */
export interface Tries {
  /** How many seconds nobody may try any more; 0 when one may. */
  waitSeconds(now: Date): number;
  wrong(now: Date): void;
}

/** So many wrong tries within one window, in ms, and the rest of it is closed to everybody. */
const bounds = { most: 10, windowMs: 60_000 };

export function createTries(): Tries {
  let wrongAt: number[] = [];
  const recent = (now: Date): number[] => wrongAt.filter((at) => at > now.getTime() - bounds.windowMs);
  return {
    waitSeconds: (now) => {
      wrongAt = recent(now);
      const [oldest] = wrongAt;
      return oldest === undefined || wrongAt.length < bounds.most ? 0 : Math.max(1, Math.ceil((oldest + bounds.windowMs - now.getTime()) / 1_000));
    },
    wrong: (now) => {
      wrongAt = [...recent(now), now.getTime()].slice(-bounds.most);
    },
  };
}
