import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Logger } from '../../config/logger';
import type { ProvisioningRunner } from '../../domain/provisioning/batch';
import { provisioningStart } from '../../workflows/contract';
import type { TemporalConnection } from './engine';

/** A repeat of a call finds the workflow of its batch started, or ended. */
function unlessStarted(error: unknown): void {
  if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
}

/**
 * Runs batches as `bulkProvisioning` workflows and waits up to `acquireTimeoutMs` for each, including its start; logs why it
 * abandoned one.
 */
export function provisioningRunner(temporal: TemporalConnection, waitMs: number, logger: Logger): ProvisioningRunner {
  const { client, taskQueue } = temporal;
  return {
    run: (batch) =>
      temporal
        .withDeadline(waitMs, async () => {
          await client.workflow
            .start('bulkProvisioning', {
              workflowId: batch.batchId,
              taskQueue,
              args: [batch],
              staticSummary: provisioningStart.summary(batch),
              typedSearchAttributes: provisioningStart.searchAttributes(batch),
              priority: provisioningStart.priority(batch),
              workflowIdReusePolicy: 'REJECT_DUPLICATE',
              workflowTaskTimeout: provisioningStart.taskTimeout,
            })
            .catch(unlessStarted);
          await client.workflow.getHandle(batch.batchId).result();
          return 'ended' as const;
        })
        .catch((error: unknown) => {
          logger.warn({ err: error, batch_id: batch.batchId }, 'a batch was given up');
          return 'gave up' as const;
        }),
  };
}
