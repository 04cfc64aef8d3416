import { workflowInfo } from '@temporalio/workflow';
import { archivesQueue, emailsQueue, erasuresQueue, webhooksQueue } from './contract';

/** Returns the option that runs an activity on the worker that sends emails. Must be called within a workflow. */
export const onEmailsQueue = (): { taskQueue: string } => ({ taskQueue: emailsQueue(workflowInfo().taskQueue) });

/** Returns the option that runs an activity on the worker that attempts deliveries. Must be called within a workflow. */
export const onWebhooksQueue = (): { taskQueue: string } => ({ taskQueue: webhooksQueue(workflowInfo().taskQueue) });

/** Returns the option that runs an activity on the worker that writes archives. Must be called within a workflow. */
export const onArchivesQueue = (): { taskQueue: string } => ({ taskQueue: archivesQueue(workflowInfo().taskQueue) });

/** Returns the option that runs an activity on the worker that erases people. Must be called within a workflow. */
export const onErasuresQueue = (): { taskQueue: string } => ({ taskQueue: erasuresQueue(workflowInfo().taskQueue) });
