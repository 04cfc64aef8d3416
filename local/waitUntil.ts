import { errorMessage } from './errors';

/** Resolves after `ms` milliseconds. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface WaitOptions {
  /** What is awaited, for the message. */
  what: string;
  withinMs: number;
  /** Throws until the condition holds. */
  check: () => Promise<void>;
  /** Ends the wait early. */
  signal?: AbortSignal;
}

const checkIntervalMs = 50;

/** Checks until the condition holds. The error at the deadline has the last check's message. */
export async function waitUntil({ what, withinMs, check, signal }: WaitOptions): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() >= deadline) {
        const reason = errorMessage(error);
        throw new Error(`${what} was not ready within ${withinMs / 1000} s: ${reason}`, { cause: error });
      }
    }
    await pause(checkIntervalMs);
  }
}
