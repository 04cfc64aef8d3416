import { workflowInfo } from '@temporalio/workflow';
import { lettersQueue } from './contract';

/** Has an activity run by the worker that sends letters. To be called within a workflow. */
export const onLettersQueue = (): { taskQueue: string } => ({ taskQueue: lettersQueue(workflowInfo().taskQueue) });
