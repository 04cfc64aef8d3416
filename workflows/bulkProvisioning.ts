import { proxyLocalActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { ProvisioningActivities } from '../activities/provisioning/provisionChunk';
import type { BatchProgress, BatchReference } from '../domain/provisioning/batch';
import { nonRetryable, workflowProgress } from './contract';
import { setOutcome } from './setOutcome';

// Local: a chunk is a short transaction with a caller waiting, and a round trip to the server takes as long.
const { provisionChunk } = proxyLocalActivities<ProvisioningActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '100 ms', maximumInterval: '2 seconds', nonRetryableErrorTypes: [nonRetryable.unknownBatch] },
});

/** The outcome of a batch, shown as the workflow's result. */
export interface ProvisioningResult {
  created: number;
  failed: number;
}

/** Creates the students of one bulk call, chunk by chunk, until the batch has ended: by its last row, or closed by its call. */
export async function bulkProvisioning(batch: BatchReference): Promise<ProvisioningResult> {
  const { total } = batch;
  let progress: BatchProgress = { status: 'open', created: 0, failed: 0, next: 0 };
  setHandler(workflowProgress, () => ({ done: progress.created + progress.failed, total }));

  while (progress.status === 'open') {
    progress = await provisionChunk(batch, progress.next, Date.now());
    setCurrentDetails(describeProgress(progress, total));
  }
  const { status, created, failed } = progress;
  setOutcome(status);
  return { created, failed };
}

const statusTexts: Record<BatchProgress['status'], string> = {
  open: 'in progress',
  done: 'done',
  closed: 'closed before its end: its call no longer waits',
};

function describeProgress({ status, created, failed }: BatchProgress, total: number): string {
  return `**${created} of ${total}** students created, ${failed} not; the batch is ${statusTexts[status]}.`;
}
