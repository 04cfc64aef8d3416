import type { Settings } from '../../config/settings';
import { workflowUrl } from '../../domain/workflowView';
import { resealStart, resealWorkflowId } from '../../workflows/contract';
import { temporalDeadlineMs, withResealConnections } from './connections';

/** Starts the workflow that seals every value under the newest key, unless it runs already, and returns what to tell the operator. */
export async function startReseal(settings: Settings): Promise<string> {
  return withResealConnections(settings, async ({ temporal, newestKeyId: keyId }) => {
    const { client, taskQueue } = temporal;
    const argument = { keyId };
    await temporal.withDeadline(temporalDeadlineMs, () =>
      client.workflow.start('reseal', {
        workflowId: resealWorkflowId,
        taskQueue,
        args: [argument],
        staticSummary: resealStart.summary(argument),
        typedSearchAttributes: resealStart.searchAttributes(),
        workflowIdConflictPolicy: 'USE_EXISTING',
      }));
    const url = workflowUrl({ url: settings.temporalUiUrl, namespace: settings.temporalNamespace }, resealWorkflowId);
    return `The workflow ${resealWorkflowId} seals every value under the key ${keyId}: ${url}\n"npm run migrate -- reseal --status" shows how far it is.\n`;
  });
}
