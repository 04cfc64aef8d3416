import { randomBytes } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
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

/** Makes a namespace that has nothing yet: no search attribute, no Schedule. Resolves once it can be used. */
export async function createNamespace({ client: { workflowService } }: TemporalConnection): Promise<string> {
  const namespace = `own-${randomBytes(6).toString('hex')}`;
  await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
  await eventually('the namespace', () => workflowService.countWorkflowExecutions({ namespace }).then(() => true, () => false));
  return namespace;
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
