import type { WorkerDeployment } from '../../config/workerDeployment';
import type { DeploymentView, WorkerVersion } from '../../outbound/temporal/workerVersions';

/** Returns how operators call a version; null is that of workers without one. */
export const nameOf = (buildId: string | null): string => buildId ?? 'workers without a version';

const counted = (count: number, one: string, many: string): string => `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, column) => Math.max(cell.length, all[column] ?? 0)), []);
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd());
}

function adviceFor({ buildId, state, workers, pinned }: WorkerVersion): string[] {
  if (pinned > 0 && workers === 0) return [`${counted(pinned, 'workflow waits', 'workflows wait')} for a worker of ${buildId}: start one.`];
  if (state === 'draining') return [`Keep the workers of ${buildId}: Temporal looks every few minutes whether it is drained.`];
  if (state === 'drained' && workers > 0) return [`${buildId} is drained: its workers may end.`];
  return [];
}

/** Returns, as text, where workflows go and what an operator has to keep; `found` is undefined as long as no worker has registered. */
export function describeStatus({ deploymentName, buildId }: WorkerDeployment, found: DeploymentView | undefined): string {
  const head = `Deployment ${deploymentName}; this release is ${buildId}.`;
  if (found === undefined) return `${head}\nNo worker of the deployment has registered yet.\n`;
  const { current, ramping, versions, workersWithoutVersion } = found;
  const rows = versions.map(({ buildId: version, state, workers, pinned, movable }) => [
    version, state, counted(workers, 'worker', 'workers'), `${counted(pinned, 'open workflow', 'open workflows')} of its own`, counted(movable, 'that may move', 'that may move'),
  ]);
  return [
    head,
    `Current: ${nameOf(current)}`,
    `Ramping: ${ramping === null ? 'nothing' : `${ramping.buildId}, ${ramping.percentage} % of the workflows`}`,
    ...(workersWithoutVersion === 0 ? [] : [`Without a version: ${counted(workersWithoutVersion, 'worker', 'workers')}`]),
    '',
    ...table(rows),
    ...versions.flatMap(adviceFor),
    '',
  ].join('\n');
}
