import { runProcess } from '../config/runProcess';
import type * as loaded from './start';

runProcess('worker', async (settings, logger) => {
  // Loaded by now, because it takes a second: until there is a handler, the first process of a container gets no signal.
  // eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/no-unsafe-assignment -- an import() of our own file does not find it when it runs from source
  const { startWorker }: typeof loaded = require('./start');
  const worker = await startWorker(settings, logger);
  logger.info({ port: worker.port }, 'worker is running');
  return worker;
});
