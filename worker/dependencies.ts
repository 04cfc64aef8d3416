import type { Database } from '../db/database';
import type { Dependency } from '../lib/readiness';
import type { TemporalConnection } from '../outbound/temporal/engine';
import type { TemporalWorkers } from './temporal';
import type { WorkflowTaskWatch } from './workflowTasks';

/** Timeout of the check that Temporal responds, in ms. */
const responseTimeoutMs = 1_000;

interface WorkerParts {
  database: Pick<Database, 'sql'>;
  temporal: TemporalConnection;
  workers: Pick<TemporalWorkers, 'checkPolling'>;
  tasks: Pick<WorkflowTaskWatch, 'check'>;
}

/**
 * Returns what a worker depends on, for `/readyz`. Without Temporal it is degraded: first attempts go on, and another worker could do no
 * more. While Temporal responds and this process does not poll it, or fails every workflow task, another could: it is unavailable.
 */
export function workerDependencies({ database, temporal, workers, tasks }: WorkerParts): Dependency[] {
  const { connection } = temporal.client;
  let asking: Promise<unknown> | undefined;
  /** Two of the checks ask over this connection: once for both. That of the workers is another one, which `checkPolling` asks. */
  const checkTemporal = (): Promise<unknown> => {
    asking ??= connection.withDeadline(Date.now() + responseTimeoutMs, () => connection.workflowService.getSystemInfo({})).finally(() => { asking = undefined; });
    return asking;
  };
  const checkPolling = async (): Promise<void> => {
    const responds = await checkTemporal().then(() => true, () => false);
    if (responds) await workers.checkPolling();
  };
  return [
    { name: 'postgres', required: true, check: () => database.sql('SELECT 1') },
    { name: 'temporal', required: false, check: checkTemporal },
    { name: 'polling', required: true, check: checkPolling },
    { name: 'workflow_tasks', required: true, check: () => tasks.check() },
  ];
}
