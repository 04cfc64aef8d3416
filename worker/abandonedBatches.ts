import type { Logger } from '../config/logger';
import type { Domain } from '../domain/context';
import { closeAbandonedBatches } from '../domain/provisioning/closeAbandonedBatches';
import { startRepeatingTask, type RepeatingTask } from '../lib/repeatingTask';

const pollIntervalMs = 30_000;

/** Closes every 30 s the batches that their call abandoned, with or without Temporal. */
export function startAbandonedBatchLoop(domain: Domain, logger: Logger): RepeatingTask {
  return startRepeatingTask(
    async () => {
      const closed = await closeAbandonedBatches(domain, new Date());
      if (closed > 0) logger.warn({ batches: closed }, 'abandoned batches were closed');
    },
    { everyMs: pollIntervalMs, onError: (error) => logger.error({ err: error }, 'abandoned batches could not be closed') },
  );
}
