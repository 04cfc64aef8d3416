import { workflowInfo } from '@temporalio/workflow';
import { emailsQueue } from './contract';

/** Returns the option that runs an activity on the worker that sends emails. Must be called within a workflow. */
export const onEmailsQueue = (): { taskQueue: string } => ({ taskQueue: emailsQueue(workflowInfo().taskQueue) });
