import { workflowInfo } from '@temporalio/workflow';
import { webhooksQueue } from './contract';

/** Has an activity run by the worker that attempts deliveries. To be called within a workflow. */
export const onWebhooksQueue = (): { taskQueue: string } => ({ taskQueue: webhooksQueue(workflowInfo().taskQueue) });
