import { setTimeout as sleep } from 'node:timers/promises';

/** An answer as it came over the wire, its body read to the end. */
export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** How long a call goes on. */
export interface RetryOptions {
  /** How often it is tried in all. */
  tries: number;
  /** How long one try may take. */
  answerWithinMs: number;
  /** How long all of them may take, the waits in between too. */
  deadlineMs: number;
}

/** A call that may be sent more than once. */
export interface RetriedCall {
  /** How long to wait before the next try, in ms, after one that ended so; undefined if there must be none. Asked once for each. */
  delayMs(result: AttemptResult): number | undefined;
  send(signal: AbortSignal): Promise<RawResponse>;
  /** Ends the call when its caller gives it up. */
  signal: AbortSignal | undefined;
  /** Receives each answer, and each wait before another try; attempts are numbered from 1. */
  observer?: { answered(reply: RawResponse, attempt: number): void; waits(result: AttemptResult, attempt: number, waitMs: number): void } | undefined;
}

/** How the tries of a call ended: with a response, or with the last failure to get one and the response before it, if any. */
export type AttemptResult = { reply: RawResponse } | { failure: unknown; earlier?: RawResponse };

/** The same with how many tries that took and how long, for a message; undefined for a response that the call does not give up on. */
export type CallResult = AttemptResult & { spent?: string };

const baseDelayMs = 1_000;

/** Twice as long each time, with a half that is random, so that those who failed together do not come back together. */
const backoffMs = (nth: number): number => baseDelayMs * 2 ** (nth - 1) * (0.5 + Math.random() / 2);

/** The wait that an answer asks for, in milliseconds: `Retry-After` in seconds or as a date. */
export function retryAfterMs({ headers }: RawResponse): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** Statuses after which it is not known what was done: the service failed, or something in between got no answer of it. */
const unknownOutcomeStatuses: readonly number[] = [500, 502, 503, 504];

/** How a call with a key says that the first one with it is still under way; other conflicts have this status, too. */
const conflictStatus = 409;

/**
 * Returns the client's rule for the next try. Every call waits on 429, and on 503 where `Retry-After` says so; after a 500,
 * and without a response of the service, only an idempotent call is sent again. Where an answer was lost before, a conflict may be the
 * lost call's own, still under way: that is asked again, too. Waits that answers ask for do not make the others longer.
 */
export function defaultDelayMs(idempotent: boolean): RetriedCall['delayMs'] {
  let lost = false;
  let chosen = 0;
  const chosenDelayMs = (): number => {
    chosen += 1;
    return backoffMs(chosen);
  };
  const againMs = (): number | undefined => (idempotent ? chosenDelayMs() : undefined);
  return (result) => {
    if (!('reply' in result)) {
      lost = true;
      return againMs();
    }
    const { status } = result.reply;
    if (status === 429) return retryAfterMs(result.reply) ?? chosenDelayMs();
    // Where the API asks for a wait it has done nothing; a 503 that asks for none may come from something in between.
    if (status === 503) return retryAfterMs(result.reply) ?? againMs();
    lost ||= unknownOutcomeStatuses.includes(status);
    return unknownOutcomeStatuses.includes(status) || (lost && status === conflictStatus) ? againMs() : undefined;
  };
}

/** Returns how many tries a call took and how long, for a message; with the deadline where that allows no other try. */
function spentText(attempts: number, ms: number, exceededMs: number | undefined): string {
  const deadline = exceededMs === undefined ? '' : ` (another would exceed the deadline of ${exceededMs / 1_000} s)`;
  return ` after ${attempts} ${attempts === 1 ? 'try' : 'tries'} in ${(ms / 1_000).toFixed(1)} s${deadline}`;
}

/** Sends a call until its response stands, or it must not be sent again. Throws nothing but the reason of the caller's signal, and what its observer throws. */
export async function sendWithRetries(call: RetriedCall, { tries, answerWithinMs, deadlineMs }: RetryOptions): Promise<CallResult> {
  const { send, signal, observer } = call;
  const begun = performance.now();
  const deadline = begun + deadlineMs;
  let earlier: RawResponse | undefined;
  for (let attemptNumber = 1; ; attemptNumber += 1) {
    signal?.throwIfAborted();
    const limit = AbortSignal.timeout(Math.ceil(Math.min(answerWithinMs, Math.max(deadline - performance.now(), 1))));
    const result: AttemptResult = await send(signal === undefined ? limit : AbortSignal.any([limit, signal])).then(
      (reply) => ({ reply }),
      (failure: unknown) => ({ failure, ...(earlier === undefined ? {} : { earlier }) }),
    );
    signal?.throwIfAborted();
    if ('reply' in result) observer?.answered(result.reply, attemptNumber);
    const waitMs = call.delayMs(result);
    const givenUp = (exceededMs?: number): CallResult => ({ ...result, spent: spentText(attemptNumber, performance.now() - begun, exceededMs) });
    if (waitMs === undefined) return 'reply' in result ? result : givenUp();
    if (attemptNumber >= tries) return givenUp();
    if (performance.now() + waitMs >= deadline) return givenUp(deadlineMs);
    observer?.waits(result, attemptNumber, waitMs);
    // It fails only where the signal ends it, whose reason is raised above.
    await sleep(waitMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    // A timer may be late.
    if (signal?.aborted !== true && performance.now() >= deadline) return givenUp(deadlineMs);
    if ('reply' in result) earlier = result.reply;
  }
}
