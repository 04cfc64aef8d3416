import { workflowInfo } from '@temporalio/workflow';

/** Number of history events after which a run continues as a new one; far below the limit of a history. */
const eventsPerRun = 4_000;

/** Whether a run is long enough to continue as a new one. */
export function shouldContinueAsNew(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength >= eventsPerRun;
}
