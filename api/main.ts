import { createLogger } from '../config/logger';
import { readSettings } from '../config/settings';
import { startApi } from './start';

async function main(): Promise<void> {
  const settings = readSettings();
  const logger = createLogger('api', settings.logLevel);
  const api = await startApi(settings, logger);
  logger.info({ port: api.port, platform_port: api.platformPort }, 'api is listening');
  const stop = (signal: string): void => {
    logger.info({ signal }, 'api is stopping');
    api.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'api did not stop cleanly');
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
