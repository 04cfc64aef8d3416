import { runProcess } from '../config/runProcess';
import { startApi } from './start';

runProcess('api', async (settings, logger) => {
  const api = await startApi(settings, logger);
  logger.info({ port: api.port, platform_port: api.platformPort, app_port: api.appPort }, 'api is listening');
  return api;
});
