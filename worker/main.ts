import { runProcess } from '../config/runProcess';
import { startWorker } from './start';

runProcess('worker', async (settings, logger) => {
  const worker = await startWorker(settings, logger);
  logger.info({ port: worker.port }, 'worker is running');
  return worker;
});
