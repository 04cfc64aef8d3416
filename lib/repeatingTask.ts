/** A task that runs again and again, never twice at the same time. */
export interface RepeatingTask {
  /** Run now; while it runs, run once more afterwards. */
  wake(): void;
  /** No further runs; resolves when the present one has ended. */
  stop(): Promise<void>;
}

/** Runs `task` at once, whenever woken, and `heartbeatIntervalMs` after its last run; what it throws goes to `onError`. */
export function startRepeatingTask(task: () => Promise<void>, { everyMs, onError }: { everyMs: number; onError: (error: unknown) => void }): RepeatingTask {
  let stopped = false;
  let again = true;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const rounds = async (): Promise<void> => {
    while (again && !stopped) {
      again = false;
      await task().catch((error: unknown) => {
        again = false;
        onError(error);
      });
    }
    running = undefined;
    if (!stopped) timer = setTimeout(wake, everyMs);
  };
  const wake = (): void => {
    if (stopped) return;
    again = true;
    clearTimeout(timer);
    running ??= rounds();
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
