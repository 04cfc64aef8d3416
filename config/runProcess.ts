import { settlesWithin } from '../lib/timeout';
import { createLogger, type Logger } from './logger';
import { readSettings, type Settings } from './settings';
import { abortGraceMs } from './shutdown';
import { startTracing } from './tracing';

/** What a process runs, and the function that stops it. */
interface Running {
  stop(): Promise<void>;
}

const endSignals = ['SIGTERM', 'SIGINT'] as const;

/** Ends the process at once on SIGTERM or SIGINT, which Linux does not deliver to the first process of a container without a handler. */
export function exitOnSignals(): void {
  for (const signal of endSignals) process.once(signal, () => process.exit(1));
}

/**
 * Runs a process from its settings until SIGTERM or SIGINT, also while it starts. If it cannot start, it logs the reason and exits
 * with 1, and nothing of it keeps running.
 */
export function runProcess(name: string, start: (settings: Settings, logger: Logger) => Promise<Running>): void {
  const run = async (): Promise<void> => {
    const settings = readSettings();
    const logger = createLogger(name, settings.logLevel, settings.tracing !== null);
    const tracing = startTracing(name, settings, logger);
    const stop = async (): Promise<void> => {
      // What is starting may have begun work; if it waits for a store, it has none.
      if (await settlesWithin(abortGraceMs, starting)) await (await starting).stop();
    };
    let isStopping = false;
    const onSignal = (signal: string): void => {
      if (isStopping) return;
      isStopping = true;
      logger.info({ signal }, `${name} is stopping`);
      stop().finally(() => tracing.stop()).then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, `${name} did not stop cleanly`);
          process.exit(1);
        },
      );
    };
    // Before anything of it is there: the first process of a container gets no signal without a handler.
    for (const signal of endSignals) process.once(signal, onSignal);
    const starting = start(settings, logger);
    await starting;
  };
  run().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
