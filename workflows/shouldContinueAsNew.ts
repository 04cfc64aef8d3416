import { workflowInfo } from '@temporalio/workflow';

/** A run hands over to the next when its history has grown by so many events; far below what a history holds. */
const eventsPerRun = 4_000;

/** Whether a run is long enough to continue as a new one. */
export function shouldContinueAsNew(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength >= eventsPerRun;
}
