import type { Logger } from '../config/logger';
import type { Domain } from '../domain/context';
import { closeAbandonedBatches } from '../domain/provisioning/closeAbandonedBatches';
import { repeating, type Repeating } from '../lib/repeatingTask';

const lookEveryMs = 30_000;

/** Looks every 30 s for batches that their call abandoned, and closes them: with Temporal or without. */
export function startClosing(domain: Domain, logger: Logger): Repeating {
  return repeating(
    async () => {
      const closed = await closeAbandonedBatches(domain, new Date());
      if (closed > 0) logger.warn({ batches: closed }, 'abandoned batches were closed');
    },
    { everyMs: lookEveryMs, onError: (error) => logger.error({ err: error }, 'abandoned batches could not be closed') },
  );
}
