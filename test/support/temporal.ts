import { WorkflowNotFoundError } from '@temporalio/client';
import type { Settings } from '../../config/settings';
import { openTemporal, temporalOptions, type TemporalConnection } from '../../outbound/temporal/engine';
import { eventually } from './eventually';

const opened: TemporalConnection[] = [];

/** A Temporal client under a test's settings; closed with the test file. */
export function openTestTemporal(settings: Settings): TemporalConnection {
  const temporal = openTemporal(temporalOptions(settings));
  opened.push(temporal);
  return temporal;
}

/** For `afterAll`. */
export async function closeTestTemporal(): Promise<void> {
  await Promise.all(opened.splice(0).map((temporal) => temporal.close()));
}

/** Deletes every run of a workflow whose id is the same for all tests of a namespace; resolves once it is gone. */
export async function deleteWorkflow({ client }: TemporalConnection, workflowId: string): Promise<void> {
  await eventually(`the end of ${workflowId}`, async () => {
    try {
      const { runId } = await client.workflow.getHandle(workflowId).describe();
      await client.workflowService.deleteWorkflowExecution({ namespace: client.options.namespace, workflowExecution: { workflowId, runId } });
      return false;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return true;
      throw error;
    }
  });
}
