import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SandboxActivities, ErasureStep } from '../activities/sandbox/resetSandbox';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { formatCount } from './formatCount';
import { setOutcome } from './setOutcome';
import { shouldContinueAsNew } from './shouldContinueAsNew';

type SandboxReset = WorkflowArguments['sandboxReset'];

/** The progress of a reset; passed on when it continues as a new run. */
export interface ResetProgress {
  erased: number;
  /** The table that the next chunk begins with; null for the first. */
  next: ErasureStep['next'];
}

// Retried until it succeeds: until then the sandbox is of no use to anybody.
const { eraseSandboxChunk, endSandboxReset } = proxyActivities<SandboxActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' },
});

/** Erases the data of a sandbox, chunk by chunk, and lets its keys in again. `before` is the progress of the previous run. */
export async function sandboxReset(reset: SandboxReset, before?: ResetProgress): Promise<{ erased: number }> {
  const progress: ResetProgress = before ?? { erased: 0, next: null };
  for (;;) {
    do {
      setCurrentDetails(`${formatCount(progress.erased, 'row', 'rows')} erased so far.`);
      if (shouldContinueAsNew()) return continueAsNew<typeof sandboxReset>(reset, progress);
      const { next, erased } = await eraseSandboxChunk(reset.institutionId, progress.next, Date.now());
      progress.erased += erased;
      progress.next = next;
    } while (progress.next !== null);
    if ((await endSandboxReset(reset.institutionId, Date.now())) === 'done') break;
  }
  setCurrentDetails(`${formatCount(progress.erased, 'row', 'rows')} erased.`);
  setOutcome('done');
  return { erased: progress.erased };
}
