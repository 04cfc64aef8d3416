import { optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';

const { WorkerVersioningMode } = temporal.api.enums.v1;

/** A poll lasts a minute; Temporal lists for longer those who no longer poll. */
const pollsWithinMs = 90_000;

/** A process that takes tasks of a task queue. */
export interface Poller {
  identity: string;
  /** Null without a version. */
  version: { deploymentName: string; buildId: string } | null;
}

/** Returns those who polled within the last one and a half minutes before `now`, in ms. */
export function recentPollers(pollers: readonly temporal.api.taskqueue.v1.IPollerInfo[], now: number): Poller[] {
  return pollers
    .filter(({ lastAccessTime }) => (optionalTsToMs(lastAccessTime) ?? 0) >= now - pollsWithinMs)
    .map(({ identity, deploymentOptions }) => {
      const isVersioned = deploymentOptions?.workerVersioningMode === WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED;
      return { identity: identity ?? '', version: isVersioned ? { deploymentName: deploymentOptions.deploymentName ?? '', buildId: deploymentOptions.buildId ?? '' } : null };
    });
}
