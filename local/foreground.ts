import type { Launcher } from './launch';
import type { ProcessRecord } from './processRecord';
import type { Progress } from './progress';
import { watchShutdownSignals } from './shutdownSignals';
import { supervisedLauncher } from './supervise';

/** What runs in the terminal until it is asked to end. */
interface Foreground {
  record: ProcessRecord;
  progress: Progress;
  /** Starts everything; programs that it launches are started again when they end by themselves. */
  start(launcher: Launcher, signal: AbortSignal): Promise<void>;
  /** Ends in order what was started; what is left is ended afterwards. */
  stop(): Promise<void>;
}

const releaseGraceMs = 500;

/** Runs until a signal, or until something cannot be kept up. Returns the exit code. */
export async function runInForeground({ record, progress, start, stop }: Foreground): Promise<number> {
  const abortController = new AbortController();
  let failure: Error | undefined;
  await new Promise<void>((resolve) => {
    const end = (): void => { abortController.abort(new Error('Stopping')); record.close(); resolve(); };
    const fail = (error: unknown): void => {
      failure ??= error instanceof Error ? error : new Error(String(error));
      end();
    };
    watchShutdownSignals({
      onStop: (why) => { progress.log(`\nStopping (${why}); once more to kill at once`); end(); },
      onKill: () => { record.killNow(); process.exit(130); },
    });
    process.on('uncaughtException', fail);
    process.on('unhandledRejection', fail);
    const launcher = supervisedLauncher({ record, progress, signal: abortController.signal, onGiveUp: fail });
    start(launcher, abortController.signal).catch((error: unknown) => { if (!abortController.signal.aborted) fail(error); });
  });
  if (failure !== undefined) progress.log(`\n✗ ${failure.message}`);
  await stop();
  await record.release(releaseGraceMs);
  return failure === undefined ? 0 : 1;
}
