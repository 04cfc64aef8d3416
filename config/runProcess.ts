import { createLogger, type Logger } from './logger';
import { readSettings, type Settings } from './settings';
import { startTracing } from './tracing';

/** What a process runs, and the function that stops it. */
interface Running {
  stop(): Promise<void>;
}

/**
 * Runs a process from its settings until SIGTERM or SIGINT. If it cannot start, it logs the reason and exits with 1, and
 * nothing of it keeps running.
 */
export function runProcess(name: string, start: (settings: Settings, logger: Logger) => Promise<Running>): void {
  const run = async (): Promise<void> => {
    const settings = readSettings();
    const logger = createLogger(name, settings.logLevel, settings.tracing !== null);
    const tracing = startTracing(name, settings, logger);
    const running = await start(settings, logger);
    const stop = (signal: string): void => {
      logger.info({ signal }, `${name} is stopping`);
      running.stop().finally(() => tracing.stop()).then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, `${name} did not stop cleanly`);
          process.exit(1);
        },
      );
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  };
  run().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
