import { workflowInfo } from '@temporalio/workflow';
import { emailsQueue } from './contract';

/** Has an activity run by the worker that sends letters. To be called within a workflow. */
export const onEmailsQueue = (): { taskQueue: string } => ({ taskQueue: emailsQueue(workflowInfo().taskQueue) });
