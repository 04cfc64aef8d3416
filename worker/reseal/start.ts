import { WorkflowNotFoundError } from '@temporalio/client';
import type { Settings } from '../../config/settings';
import { workflowUrl } from '../../domain/workflowView';
import { priorities, resealStart, resealWorkflowId } from '../../workflows/contract';
import { temporalDeadlineMs, withResealConnections } from './connections';

/** Undefined for a workflow that was never started. */
function ignoreUnknown(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

/**
 * Starts the workflow that seals every value under the newest key, unless it runs already, and returns what to tell the operator. One
 * that seals under an earlier key is ended: no worker with the newest one goes on with it.
 */
export async function startReseal(settings: Settings): Promise<string> {
  return withResealConnections(settings, async ({ temporal, newestKeyId: keyId }) => {
    const { client, taskQueue } = temporal;
    const argument = { keyId };
    const summary = resealStart.summary(argument);
    const isOfEarlierKey = await temporal.withDeadline(temporalDeadlineMs, async () => {
      const running = await client.workflow.getHandle(resealWorkflowId).describe().catch(ignoreUnknown);
      return running?.status.name === 'RUNNING' && (await running.staticSummary()) !== summary;
    });
    await temporal.withDeadline(temporalDeadlineMs, () =>
      client.workflow.start('reseal', {
        workflowId: resealWorkflowId,
        taskQueue,
        args: [argument],
        staticSummary: summary,
        typedSearchAttributes: resealStart.searchAttributes(),
        priority: { priorityKey: priorities.bulk },
        // What was sealed again is not sealed once more.
        workflowIdConflictPolicy: isOfEarlierKey ? 'TERMINATE_EXISTING' : 'USE_EXISTING',
      }));
    const url = workflowUrl({ url: settings.temporalUiUrl, namespace: settings.temporalNamespace }, resealWorkflowId);
    return `The workflow ${resealWorkflowId} seals every value under the key ${keyId}: ${url}\n"npm run migrate -- reseal --status" shows how far it is.\n`;
  });
}
