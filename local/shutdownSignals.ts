/** What can end the stack, watched from the start. */
export interface ShutdownHandlers {
  /** The first thing that asks for an orderly end. */
  onStop: (why: string) => void;
  /** Asked again while it stops. */
  onKill: () => void;
}

/** npm passes a Ctrl-C on that the terminal has sent us already; only a later one is a second one. */
const duplicateSignalMs = 700;
const parentPollMs = 500;

/** Ends the stack when npm, which started it, is gone: killing npm alone would leave it running unseen. */
function watchParent(onStop: (why: string) => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) onStop('npm has ended');
  }, parentPollMs).unref();
}

/** Calls `onStop` once, at the first Ctrl-C, SIGTERM or SIGHUP, and `onKill` at a second one. */
export function watchShutdownSignals({ onStop, onKill }: ShutdownHandlers): void {
  let firstAt: number | undefined;
  const stopOnce = (why: string): void => {
    if (firstAt !== undefined) return;
    firstAt = Date.now();
    onStop(why);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (firstAt !== undefined && Date.now() - firstAt > duplicateSignalMs) onKill();
      stopOnce(signal);
    });
  }
  watchParent(stopOnce);
  // The reader of the output may end before this process.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
}
