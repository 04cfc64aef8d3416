/** A turn did not come in time: too much of the same key is under way. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';
}

/**
 * Lets only so many of one key go on at the same time; the others wait their turn, in order. A place is always bound to what
 * gives it back, a piece of work or a signal: nobody is handed one that could be forgotten.
 */
export interface Turns {
  /** Does the work in a turn, and gives the place back however it ends; rejects as {@link hold} does, before any of it. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Resolves once a place is held, which is given back when the signal aborts. Rejects when the turn has not come within
   * the wait, and with the signal's reason, holding nothing, where it has aborted or aborts while the turn is waited for.
   */
  hold(key: string, until: AbortSignal): Promise<void>;
}

interface Line {
  held: number;
  waiting: Set<() => void>;
}

/**
 * `places` at a time for each key; a turn is waited for `waitMs` at most, and `late` makes the error of one that did not
 * come, at once where `mostWaiting` wait for the key already.
 */
export function createTurns(
  places: number,
  waitMs: number,
  late: () => Error = () => new NoTurn(`No turn within ${waitMs} ms`),
  mostWaiting = Number.POSITIVE_INFINITY,
): Turns {
  const lines = new Map<string, Line>();

  const give = (key: string, line: Line): void => {
    const [next] = line.waiting;
    if (next !== undefined) {
      next();
      return;
    }
    line.held -= 1;
    if (line.held === 0) lines.delete(key);
  };
  const wait = (line: Line, until: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        until?.removeEventListener('abort', gone);
        line.waiting.delete(turn);
      };
      const turn = (): void => {
        leave();
        resolve();
      };
      const gone = (): void => {
        leave();
        reject(reasonOf(until));
      };
      const timer = setTimeout(() => {
        leave();
        reject(late());
      }, waitMs);
      until?.addEventListener('abort', gone);
      line.waiting.add(turn);
    });
  /** Whoever calls it holds a place from then on, and gives it. */
  const enter = async (key: string, until?: AbortSignal): Promise<Line> => {
    const line = lines.get(key) ?? { held: 0, waiting: new Set() };
    lines.set(key, line);
    if (line.held < places) line.held += 1;
    else if (line.waiting.size >= mostWaiting) throw late();
    else await wait(line, until);
    return line;
  };
  return {
    run: async (key, work) => {
      const line = await enter(key);
      try {
        return await work();
      } finally {
        give(key, line);
      }
    },
    hold: async (key, until) => {
      until.throwIfAborted();
      const line = await enter(key, until);
      const giveBack = (): void => give(key, line);
      // It may have aborted between the turn and this line, and will not do so again.
      if (hasAborted(until)) {
        giveBack();
        throw reasonOf(until);
      }
      until.addEventListener('abort', giveBack, { once: true });
    },
  };
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('What the place was for has ended', { cause: reason });
}

/** Asked anew after each wait. */
const hasAborted = ({ aborted }: AbortSignal): boolean => aborted;
