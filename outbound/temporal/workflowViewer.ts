import { WorkflowNotFoundError, type WorkflowExecutionDescription, type WorkflowHandle } from '@temporalio/client';
import type { Domain } from '../../domain/context';
import { DomainError } from '../../domain/errors';
import { workflowStatuses, workflowUrl, type TemporalUi, type WorkflowStatus, type WorkflowView } from '../../domain/workflowView';
import { workflowsWithProgress, searchAttributes, workflowProgress } from '../../workflows/contract';
import { countsOfResult, progressOfResult } from './resultProgress';
import type { TemporalConnection } from './engine';

/** Timeout of describing a workflow, in ms. */
const describeWithinMs = 2_000;
/** Timeout of a worker's response to a query, in ms. */
const detailsWithinMs = 2_000;

/** Reads the state of workflows from Temporal and from the workers that host them. */
export function workflowViewer(temporal: TemporalConnection, ui: TemporalUi): Domain['viewWorkflow'] {
  return async (workflowId) => {
    const handle = temporal.client.workflow.getHandle(workflowId);
    const found = await temporal.withDeadline(describeWithinMs, () => handle.describe()).catch(undefinedIfNotFound);
    if (found === undefined) return undefined;
    const status = statusOf(found);
    const counts = workflowsWithProgress.has(found.type);
    const [details, running, result] = await Promise.all([
      status === 'running' ? detailsOf(temporal, handle) : null,
      counts && (status === 'running' || status === 'paused') ? progressOf(temporal, handle) : null,
      counts && status === 'completed' ? resultOf(temporal, handle) : undefined,
    ]);
    return {
      workflowId,
      type: found.type,
      status,
      startedAt: found.startTime,
      closedAt: found.closeTime ?? null,
      summary: (await found.staticSummary()) ?? null,
      outcome: found.typedSearchAttributes.get(searchAttributes.outcome) ?? null,
      details,
      progress: result === undefined ? running : progressOfResult(found.type, result),
      result: countsOfResult(result),
      url: workflowUrl(ui, workflowId),
    };
  };
}

function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof WorkflowNotFoundError) return undefined;
  throw new DomainError('internal_error', 'Temporal does not answer now; its workflows go on when it is back.', {}, { cause: error });
}

const statusOf = ({ status: { name } }: WorkflowExecutionDescription): WorkflowStatus =>
  workflowStatuses.find((status) => status === name.toLowerCase()) ?? 'unknown';

/** Returns the current details of a workflow; null if no worker responds in time. */
async function detailsOf(temporal: TemporalConnection, handle: WorkflowHandle): Promise<string | null> {
  const metadataQuery = temporal.withDeadline(detailsWithinMs, () => handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata'));
  const { currentDetails = '' } = await metadataQuery.catch(() => ({ currentDetails: '' }));
  return currentDetails === '' ? null : currentDetails;
}

/** Returns the progress of a workflow that runs, from a worker; null if none responds in time. */
const progressOf = (temporal: TemporalConnection, handle: WorkflowHandle): Promise<WorkflowView['progress']> =>
  temporal.withDeadline(detailsWithinMs, () => handle.query(workflowProgress)).catch(() => null);

/** Returns the result of a completed workflow; undefined if Temporal does not answer in time. */
const resultOf = (temporal: TemporalConnection, handle: WorkflowHandle): Promise<unknown> =>
  temporal.withDeadline(detailsWithinMs, (): Promise<unknown> => handle.result()).catch(() => undefined);
