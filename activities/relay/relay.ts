import type { Logger } from '../../config/logger';
import type { Database } from '../../db/database';
import { dispatchOwed, type WorkflowEngine } from '../../domain/owed/dispatchOwed';
import { repeating, type Repeating } from '../sender/repeating';

const lookEveryMs = 1_000;

/** Tells Temporal what is owed, again and again until nothing is; while Temporal is away it looks once a second. */
export function startRelay(database: Database, engine: WorkflowEngine, logger: Logger): Repeating {
  let away = false;
  const relay: Repeating = repeating(
    async () => {
      const { settled, reachable } = await dispatchOwed(database, engine, () => new Date());
      if (away === reachable) logger.warn({ reachable }, reachable ? 'temporal answers again' : 'temporal does not answer; what is owed waits');
      away = !reachable;
      if (settled > 0 && reachable) relay.wake();
    },
    { everyMs: lookEveryMs, onError: (error) => logger.error({ err: error }, 'the relay could not reach its store') },
  );
  return relay;
}
