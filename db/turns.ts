/** A turn did not come in time: too much of the same key is under way. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';
}

/** Lets only so many of one key go on at the same time; the others wait their turn, in order. */
export interface Turns {
  /** Resolves with what gives the place back; rejects when the turn has not come within the wait. */
  take(key: string): Promise<() => void>;
  /** Does the work in a turn, and gives the place back however it ends; rejects as {@link take} does, before any of it. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

interface Line {
  held: number;
  waiting: (() => void)[];
}

/** `places` at a time for each key; a turn is waited for `waitMs` at most. */
export function createTurns(places: number, waitMs: number): Turns {
  const lines = new Map<string, Line>();

  const giveBack = (key: string, line: Line): void => {
    const next = line.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    line.held -= 1;
    if (line.held === 0) lines.delete(key);
  };
  const once = (key: string, line: Line): (() => void) => {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      giveBack(key, line);
    };
  };
  const take: Turns['take'] = async (key) => {
    const line = lines.get(key) ?? { held: 0, waiting: [] };
    lines.set(key, line);
    if (line.held < places) {
      line.held += 1;
      return once(key, line);
    }
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(turn), 1);
        reject(new NoTurn(`No turn within ${waitMs} ms`));
      }, waitMs);
      line.waiting.push(turn);
    });
    return once(key, line);
  };
  return {
    take,
    run: async (key, work) => {
      const giveBack = await take(key);
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
  };
}
