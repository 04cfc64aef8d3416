import { Counter, type Registry } from 'prom-client';
import type { Logger } from '../config/logger';
import type { Domain } from '../domain/context';
import { restartLostWorkflows, type FindWorkflow } from '../domain/outbox/restartLostWorkflows';
import { startRepeatingTask, type RepeatingTask } from '../lib/repeatingTask';
import { startDescriptions } from '../workflows/contract';

/** Interval between two passes, in ms: with the limit of a pass, it bounds how many workflows a worker starts again each minute. */
const lostWorkflowsEveryMs = 60_000;

/** Checks open workflows once a minute, and starts those again that Temporal has lost. */
export function startLostWorkflowLoop(domain: Pick<Domain, 'database' | 'onCommitted'>, find: FindWorkflow, registry: Registry, logger: Logger, everyMs = lostWorkflowsEveryMs): RepeatingTask {
  const restarts = new Counter({
    name: 'workflows_restarted_total',
    help: 'Workflows started again because Temporal did not have them, by type.',
    labelNames: ['workflow_type'],
    registers: [registry],
  });
  // Initialised with 0: an alert on an increase needs a value before the first one.
  for (const type of Object.keys(startDescriptions)) restarts.inc({ workflow_type: type }, 0);
  return startRepeatingTask(
    async () => {
      const { checked, restarted, unknown } = await restartLostWorkflows(domain, find);
      for (const type of restarted) restarts.inc({ workflow_type: type });
      if (unknown.length > 0) logger.warn({ err: unknown[0], checked, unknown: unknown.length }, 'temporal could not be asked for some open workflows');
      if (restarted.length > 0) logger.warn({ checked, restarted: restarted.length }, 'workflows that temporal does not have were started again');
    },
    { everyMs, onError: (error) => logger.warn({ err: error }, 'open workflows could not be checked') },
  );
}
