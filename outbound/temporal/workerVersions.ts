import { optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import type { WorkerDeployment } from '../../config/workerDeployment';
import type { TemporalConnection } from './engine';
import { isNotFound } from './grpcCode';
import { recentPollers } from './pollers';

const { TaskQueueType, WorkerDeploymentVersionStatus: Status } = temporal.api.enums.v1;
type Timestamp = Parameters<typeof optionalTsToMs>[0];

/** What Temporal does with a version: only a current or ramping one gets new workflows, and a draining one still has workflows of its own. */
export type VersionState = 'current' | 'ramping' | 'draining' | 'drained' | 'inactive';

/** A version of the workers. Times in ms. */
export interface WorkerVersion {
  buildId: string;
  state: VersionState;
  createdAtMs: number;
  /** When it last became current; undefined if it never was. */
  lastCurrentAtMs: number | undefined;
  /** Since when it is current; undefined if it is not. */
  currentSinceMs: number | undefined;
  /** When it last ceased to be current or to ramp; undefined if it never did. */
  leftAtMs: number | undefined;
  /** Processes that polled for workflows with it within the last one and a half minutes. */
  workers: number;
  /** Open workflows that end with it. */
  pinned: number;
  /** Open workflows that it had last, and that continue with the current version. */
  movable: number;
}

/** The versions of a deployment, the newest first, and where workflows go. */
export interface DeploymentView {
  /** Null: workers without a version. */
  current: string | null;
  ramping: { buildId: string; percentage: number } | null;
  versions: WorkerVersion[];
  /** The same without a version. */
  workersWithoutVersion: number;
}

/** Where the workflows of a deployment go. */
export interface Routing {
  /** Null: workers without a version. */
  current: string | null;
  /** Whether a version is current, or ever was: not so in a Temporal that has just met the workers. */
  wasEverSet: boolean;
}

/** Reads and sets where the workflows of a deployment go. Errors are gRPC's. */
export interface WorkerVersions {
  /** Undefined as long as no worker of the deployment has registered. */
  describe(): Promise<DeploymentView | undefined>;
  /** Returns less, by one call; undefined as long as no worker of the deployment has registered. */
  routing(): Promise<Routing | undefined>;
  /** Returns the task queues that a version has polled so far. */
  queuesOf(buildId: string): Promise<ReadonlySet<string>>;
  /** Makes a version current; null, workers without a version. */
  setCurrent(buildId: string | null): Promise<void>;
  /** Sends that part of the workflows to a version; null sends all to the current one. */
  setRamping(ramping: { buildId: string; percentage: number } | null): Promise<void>;
}

/** How long one call to Temporal may take, in ms; to route workflows takes it up to some seconds. */
const callDeadlineMs = 15_000;
/** Who has changed a deployment, as Temporal shows it. */
const identity = 'npm run deploy';

const stateNames: Record<number, VersionState> = {
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT]: 'current',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING]: 'ramping',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING]: 'draining',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED]: 'drained',
};

const timeMs = (timestamp: Timestamp): number | undefined => optionalTsToMs(timestamp);

function orUndefined(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** Returns the versions of a deployment's workers; `now` returns the time, in ms. */
export function workerVersions({ client, taskQueue, withDeadline }: TemporalConnection, deploymentName: WorkerDeployment['deploymentName'], now: () => number = Date.now): WorkerVersions {
  const { workflowService } = client;
  const { namespace } = client.options;
  const call = <Result>(calls: () => Promise<Result>): Promise<Result> => withDeadline(callDeadlineMs, calls);

  const countOpen = async (buildId: string, behavior: 'Pinned' | 'AutoUpgrade'): Promise<number> => {
    const query = `TemporalWorkerDeploymentVersion = '${deploymentName}:${buildId}' AND TemporalWorkflowVersioningBehavior = '${behavior}' AND ExecutionStatus = 'Running'`;
    return Number((await workflowService.countWorkflowExecutions({ namespace, query })).count);
  };

  /** The processes that poll for workflows, by build id; an empty one for those without a version. */
  const workersByBuildId = async (): Promise<Map<string, number>> => {
    const { pollers } = await workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW });
    const identities = new Map<string, Set<string>>();
    for (const { identity, version } of recentPollers(pollers, now())) {
      if (version !== null && version.deploymentName !== deploymentName) continue;
      const buildId = version?.buildId ?? '';
      identities.set(buildId, (identities.get(buildId) ?? new Set()).add(identity));
    }
    return new Map([...identities].map(([buildId, workers]) => [buildId, workers.size]));
  };

  const deploymentInfo = async () => (await workflowService.describeWorkerDeployment({ namespace, deploymentName }).catch(orUndefined))?.workerDeploymentInfo ?? undefined;

  return {
    describe: () =>
      call(async () => {
        const info = await deploymentInfo();
        if (info === undefined) return undefined;
        const workers = await workersByBuildId();
        const versions = await Promise.all((info.versionSummaries ?? []).map(async ({ deploymentVersion, status, createTime, lastCurrentTime, currentSinceTime, lastDeactivationTime }): Promise<WorkerVersion> => {
          const buildId = deploymentVersion?.buildId ?? '';
          return {
            buildId,
            state: stateNames[status ?? 0] ?? 'inactive',
            createdAtMs: timeMs(createTime) ?? 0,
            lastCurrentAtMs: timeMs(lastCurrentTime),
            currentSinceMs: timeMs(currentSinceTime),
            leftAtMs: timeMs(lastDeactivationTime),
            workers: workers.get(buildId) ?? 0,
            pinned: await countOpen(buildId, 'Pinned'),
            movable: await countOpen(buildId, 'AutoUpgrade'),
          };
        }));
        const { currentDeploymentVersion, rampingDeploymentVersion, rampingVersionPercentage } = info.routingConfig ?? {};
        const ramping = rampingDeploymentVersion?.buildId;
        return {
          current: currentDeploymentVersion?.buildId ?? null,
          ramping: ramping == null ? null : { buildId: ramping, percentage: rampingVersionPercentage ?? 0 },
          versions: versions.sort((one, other) => other.createdAtMs - one.createdAtMs),
          workersWithoutVersion: workers.get('') ?? 0,
        };
      }),
    routing: () =>
      call(async () => {
        const info = await deploymentInfo();
        if (info === undefined) return undefined;
        const current = info.routingConfig?.currentDeploymentVersion?.buildId ?? null;
        return { current, wasEverSet: current !== null || (info.versionSummaries ?? []).some(({ lastCurrentTime }) => timeMs(lastCurrentTime) !== undefined) };
      }),
    queuesOf: (buildId) =>
      call(async () => {
        const described = await workflowService.describeWorkerDeploymentVersion({ namespace, deploymentVersion: { deploymentName, buildId } }).catch(orUndefined);
        return new Set((described?.versionTaskQueues ?? []).map(({ name }) => name ?? ''));
      }),
    setCurrent: (buildId) =>
      call(async () => {
        await workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId: buildId ?? '', identity });
      }),
    setRamping: (ramping) =>
      call(async () => {
        await workflowService.setWorkerDeploymentRampingVersion({ namespace, deploymentName, buildId: ramping?.buildId ?? '', percentage: ramping?.percentage ?? 0, identity });
      }),
  };
}
