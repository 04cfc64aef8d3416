import { workflowInfo } from '@temporalio/workflow';
import { webhooksQueue } from './contract';

/** Returns the option that runs an activity on the worker that attempts deliveries. Must be called within a workflow. */
export const onWebhooksQueue = (): { taskQueue: string } => ({ taskQueue: webhooksQueue(workflowInfo().taskQueue) });
