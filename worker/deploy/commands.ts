import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerDeployment } from '../../config/workerDeployment';
import { joinWords } from '../../lib/joinWords';
import { grpcCodeOf, grpcCodes } from '../../outbound/temporal/grpcCode';
import { taskQueuesOf } from '../../outbound/temporal/taskQueueStates';
import type { DeploymentView, WorkerVersions } from '../../outbound/temporal/workerVersions';
import { describeStatus, nameOf } from './status';

/** What the commands need: this release's version, and where its workers poll. */
export interface DeployDeps extends WorkerDeployment {
  versions: WorkerVersions;
  taskQueue: string;
  /** How long to wait until the workers of this release have registered, in ms. */
  withinMs: number;
}

/** What an operator has to do before the command can work. */
class NotYet extends Error {}

const retryAfterMs = 1_000;
/** A version that has just registered is not known everywhere. */
const passingGrpcCodes = new Set<number>([grpcCodes.notFound, grpcCodes.resourceExhausted, grpcCodes.failedPrecondition, grpcCodes.aborted]);

const isPassing = (error: unknown): boolean => error instanceof NotYet || passingGrpcCodes.has(grpcCodeOf(error) ?? -1);

/** Repeats work that fails because something is not there yet; then throws its last error. */
async function retried<Result>(withinMs: number, work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || performance.now() >= deadline) throw error;
      await pause(retryAfterMs);
    }
  }
}

/** Throws which task queues have no worker of this release yet. */
async function requireWorkers({ versions, buildId, deploymentName, taskQueue }: DeployDeps): Promise<DeploymentView> {
  const polled = await versions.queuesOf(buildId);
  const missing = taskQueuesOf(taskQueue).filter((queue) => !polled.has(queue));
  const found = missing.length === 0 ? await versions.describe() : undefined;
  const isPolling = (found?.versions.find((version) => version.buildId === buildId)?.workers ?? 0) > 0;
  if (found !== undefined && isPolling) return found;
  const where = missing.length === 0 ? taskQueue : joinWords(missing);
  throw new NotYet(`No worker of version ${buildId} polls ${where}: start the workers of this release with TEMPORAL_DEPLOYMENT_NAME=${deploymentName}, and look at their log.`);
}

const keepWorkers = (buildId: string | null): string =>
  buildId === null ? 'Workers without a version may end.' : `Keep the workers of ${buildId} until "npm run deploy -- status" says that it is drained.`;

/** Makes this release current once its workers have registered, and returns what an operator reads. */
export async function promote(deps: DeployDeps): Promise<string> {
  const { versions, buildId, withinMs } = deps;
  return retried(withinMs, async () => {
    const { current } = await requireWorkers(deps);
    if (current === buildId) return `${buildId} is current already.\n`;
    await versions.setCurrent(buildId);
    return `New workflows, and those that may move, go to ${buildId}.\n${keepWorkers(current)}\n`;
  });
}

/** Sends a part of the workflows to this release once its workers have registered, and returns what an operator reads. */
export async function ramp(deps: DeployDeps, percentage: number): Promise<string> {
  const { versions, buildId, withinMs } = deps;
  return retried(withinMs, async () => {
    const { current } = await requireWorkers(deps);
    if (current === buildId) throw new Error(`${buildId} is current already: all workflows go to it.`);
    await versions.setRamping({ buildId, percentage });
    return `${percentage} % of the workflows go to ${buildId}, the others to ${nameOf(current)}.\n`;
  });
}

/** Sends the workflows of this release to the version before, and returns what an operator reads. */
export async function rollback({ versions, buildId, deploymentName, taskQueue, withinMs }: DeployDeps): Promise<string> {
  const found = await versions.describe();
  if (found === undefined) throw new Error(`No worker of the deployment ${deploymentName} has registered yet: there is nothing to roll back.`);
  const { current, ramping } = found;
  if (ramping?.buildId === buildId) {
    await retried(withinMs, () => versions.setRamping(null));
    return `${buildId} ramps no more: all workflows that may move go to ${nameOf(current)}.\n${keepWorkers(buildId)}\n`;
  }
  if (current !== buildId) throw new Error(`${buildId} is neither current nor ramping, so there is nothing to roll back: workflows go to ${nameOf(current)}. Run this with the release that is to be left.`);
  const before = versionBefore(found, buildId);
  const workers = before === undefined ? found.workersWithoutVersion : before.workers;
  const target = before?.buildId ?? null;
  if (workers === 0) throw new Error(`Before ${buildId} workflows went to ${nameOf(target)}, and none of those workers polls ${taskQueue}: start them first, then roll back again.`);
  await retried(withinMs, () => versions.setCurrent(target));
  return `New workflows, and those that may move, go to ${nameOf(target)} again.\n${keepWorkers(buildId)}\n`;
}

/** What two parts of Temporal may differ by in the time of one change of the current version, in ms. */
const sameChangeMs = 1_000;

/**
 * The version that was current last before this one; undefined if workers without a version were: if no other ever was current, or the last
 * of them had been left, for workers without a version, before this one became current.
 */
function versionBefore({ versions }: DeploymentView, buildId: string): DeploymentView['versions'][number] | undefined {
  const since = versions.find((version) => version.buildId === buildId)?.currentSinceMs;
  const [last] = versions
    .filter((version) => version.buildId !== buildId && version.lastCurrentAtMs !== undefined)
    .sort((one, other) => (other.lastCurrentAtMs ?? 0) - (one.lastCurrentAtMs ?? 0));
  const wasLeftBefore = since !== undefined && last?.leftAtMs !== undefined && last.leftAtMs < since - sameChangeMs;
  return wasLeftBefore ? undefined : last;
}

/** Returns, as text, which version is current, which ramps, and which workers must stay. */
export async function status({ versions, buildId, deploymentName }: DeployDeps): Promise<string> {
  return describeStatus({ deploymentName, buildId }, await versions.describe());
}
