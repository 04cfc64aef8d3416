import { setTimeout as sleep } from 'node:timers/promises';

/** An answer as it came over the wire, its body read to the end. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
}

/** How long a call goes on. */
export interface Patience {
  /** How often it is tried in all. */
  tries: number;
  /** How long one try may take. */
  answerWithinMs: number;
  /** How long all of them may take, the waits in between too. */
  deadlineMs: number;
}

/** What is tried. */
export interface Attempted {
  /** Whether doing it twice does no more than doing it once. */
  repeatable: boolean;
  send(signal: AbortSignal): Promise<Reply>;
  /** Ends the call when its caller gives it up. */
  signal: AbortSignal | undefined;
}

/** How the tries of a call ended: with an answer, or with the last failure to get one. */
export type Ended = { reply: Reply } | { failure: unknown };

const firstPauseMs = 1_000;

/** Twice as long each time, with a half that is random, so that those who failed together do not come back together. */
const pauseMs = (attempt: number): number => firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);

/** The wait that an answer asks for, in milliseconds: `Retry-After` in seconds or as a date. */
function askedFor({ headers }: Reply): number | undefined {
  const said = headers.get('retry-after');
  if (said === null) return undefined;
  const ms = /^\d+$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** How long to wait before the next try; undefined where there must be none. */
function waitBeforeNext(ended: Ended, { repeatable }: Attempted, attempt: number): number | undefined {
  const pause = repeatable ? pauseMs(attempt) : undefined;
  if (!('reply' in ended)) return pause;
  const { status } = ended.reply;
  // Where the API asks for a wait it has done nothing; a 503 that asks for none may come from something in between.
  return status === 429 ? (askedFor(ended.reply) ?? pauseMs(attempt)) : status === 503 ? (askedFor(ended.reply) ?? pause) : undefined;
}

/**
 * Tries a call until its answer stands. 429 and 503 wait as `Retry-After` says, whatever the call does; where no answer
 * came only what is repeatable is tried again. Raises nothing but the reason of the caller's signal.
 */
export async function attempt(attempted: Attempted, { tries, answerWithinMs, deadlineMs }: Patience): Promise<Ended> {
  const { send, signal } = attempted;
  const deadline = performance.now() + deadlineMs;
  for (let nth = 1; ; nth += 1) {
    signal?.throwIfAborted();
    const limit = AbortSignal.timeout(Math.ceil(Math.min(answerWithinMs, Math.max(deadline - performance.now(), 1))));
    const ended: Ended = await send(signal === undefined ? limit : AbortSignal.any([limit, signal])).then(
      (reply) => ({ reply }),
      (failure: unknown) => ({ failure }),
    );
    signal?.throwIfAborted();
    const waitMs = waitBeforeNext(ended, attempted, nth);
    if (waitMs === undefined || nth >= tries || performance.now() + waitMs >= deadline) return ended;
    // It fails only where the signal ends it, whose reason is raised above.
    await sleep(waitMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
}
