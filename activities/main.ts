import { createLogger } from '../config/logger';
import { readSettings } from '../config/settings';
import { startWorker } from './start';

async function main(): Promise<void> {
  const settings = readSettings();
  const logger = createLogger('worker', settings.logLevel);
  const worker = await startWorker(settings, logger);
  logger.info({ port: worker.port }, 'worker is running');
  const stop = (signal: string): void => {
    logger.info({ signal }, 'worker is stopping');
    worker.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'worker did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
