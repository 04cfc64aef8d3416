import type { Logger } from '../config/logger';
import { findCurrentBuild, recordCurrentBuild } from '../db/repositories/outbox/workerDeployments';
import type { Sql } from '../db/statement';
import { startRepeatingTask, type RepeatingTask } from '../lib/repeatingTask';
import { promote, type DeployDeps } from './deploy/commands';

/** Interval between two looks, in ms. */
const looksEveryMs = 60_000;

/** What became of the current version: recorded as it is, made current again, or neither. */
type CurrentVersionOutcome = 'recorded' | 'restored' | 'unknown';

/**
 * Records which version is current. Where none is and none ever was, Temporal is a new one or has lost its data: then this version is
 * made current if it was by the last record. A rollback to workers without a version is no loss: versions were current before.
 */
export async function keepCurrentVersion(sql: Sql, deps: Omit<DeployDeps, 'withinMs'>): Promise<CurrentVersionOutcome> {
  const { versions, deploymentName, buildId } = deps;
  const routing = await versions.routing();
  if (routing === undefined) return 'unknown';
  if (routing.wasEverSet) {
    await recordCurrentBuild(sql, deploymentName, routing.current);
    return 'recorded';
  }
  if ((await findCurrentBuild(sql, deploymentName)) !== buildId) return 'unknown';
  await promote({ ...deps, withinMs: 0 });
  return 'restored';
}

/** Keeps the version of the workers that was current so, once a minute. */
export function startCurrentVersionLoop(sql: Sql, deps: Omit<DeployDeps, 'withinMs'>, logger: Logger, everyMs = looksEveryMs): RepeatingTask {
  let logged: string | undefined;
  return startRepeatingTask(
    async () => {
      const outcome = await keepCurrentVersion(sql, deps);
      logged = undefined;
      if (outcome === 'restored') logger.warn({ buildId: deps.buildId }, 'temporal had no current version of the workers; this one was, and is again');
    },
    {
      everyMs,
      onError: (error) => {
        const message = error instanceof Error ? error.message : String(error);
        if (message !== logged) logger.warn({ err: error }, 'the current version of the workers could not be looked at or set');
        logged = message;
      },
    },
  );
}
