import { continueAsNew, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { FillActivities } from '../activities/fills/fills';
import { priorities, workflowProgress, type FillArgument } from './contract';
import { formatCount } from './formatCount';
import { setOutcome } from './setOutcome';
import { shouldContinueAsNew } from './shouldContinueAsNew';

/** The result of a fill: rows that were looked at and filled. */
export interface FillResult {
  outcome: 'done';
  done: number;
  total: number;
  filled: number;
}

const { fillRows } = proxyActivities<FillActivities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  priority: { priorityKey: priorities.sweep },
});

/** Fills a column of the rows that a migration found, chunk by chunk while the service runs; how far it is stands in Postgres. */
export async function rowFill({ name }: FillArgument): Promise<FillResult> {
  let counts = { done: 0, total: 0 };
  setHandler(workflowProgress, () => counts);
  for (;;) {
    const { seen, total, filled, done } = await fillRows(name);
    counts = { done: seen, total };
    setCurrentDetails(`**${seen.toLocaleString('en-US')} of ${done ? '' : 'about '}${formatCount(total, 'row', 'rows')}** looked at, ${filled.toLocaleString('en-US')} filled.`);
    if (done) {
      setOutcome('done');
      return { outcome: 'done', done: seen, total: seen, filled };
    }
    if (shouldContinueAsNew()) return continueAsNew<typeof rowFill>({ name });
  }
}
