import { continueTrace } from './tracing';

/** A task that runs repeatedly, never twice at the same time. */
export interface RepeatingTask {
  /** Runs it now; while it runs, again afterwards. */
  wake(): void;
  /** Prevents further runs; resolves when the present one has ended. */
  stop(): Promise<void>;
}

/** Starts `task` immediately, on each wake, and `everyMs` after its last run, which may depend on how long that took; errors are passed to `onError`. */
export function startRepeatingTask(task: () => Promise<void>, { everyMs, onError }: { everyMs: number | ((lastMs: number) => number); onError: (error: unknown) => void }): RepeatingTask {
  let stopped = false;
  let again = true;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const rounds = async (): Promise<void> => {
    let tookMs = 0;
    while (again && !stopped) {
      again = false;
      const begunAt = performance.now();
      await task().catch((error: unknown) => {
        again = false;
        onError(error);
      });
      tookMs = performance.now() - begunAt;
    }
    running = undefined;
    if (!stopped) timer = setTimeout(wake, typeof everyMs === 'number' ? everyMs : everyMs(tookMs));
  };
  const wake = (): void => {
    if (stopped) return;
    again = true;
    clearTimeout(timer);
    // Who wakes it may be part of a trace, which the task and its timers are not.
    running ??= continueTrace(null, rounds);
  };
  wake();
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
