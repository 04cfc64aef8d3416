import { condition, continueAsNew, proxyActivities, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { AttemptActivities, ExpiryPlan } from '../activities/exams/expireAttempts';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { look, searchAttributes } from './contract';
import { formatCount } from './formatCount';
import { shouldContinueAsNew } from './shouldContinueAsNew';

type ExpiryRun = WorkflowArguments['attemptExpiry'];

/** What a run came to, as the workflow's result shows it. */
export interface ExpiryResult {
  outcome: 'done' | 'replaced';
  abandoned: number;
}

const { abandonAttempts } = proxyActivities<AttemptActivities>({
  // One transaction: what a killed worker held is taken up after this time.
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

/** Attempts that end soon after one another are taken together, in ms. */
const minWaitMs = 1_000;
/** A due date may be years away; Postgres is looked at once a month all the same. */
const maxWaitMs = 30 * 24 * 3_600_000;

/**
 * Waits for an exam's attempts to run out of time and abandons them; once the exam is closed, all that are in progress.
 * Ends when none is left that runs out of time.
 */
export async function attemptExpiry(run: ExpiryRun, before = 0): Promise<ExpiryResult> {
  const received = { look: false };
  setHandler(look, () => {
    received.look = true;
  });
  let abandoned = before;
  for (;;) {
    received.look = false;
    const plan = await abandonAttempts(run, Date.now());
    abandoned += plan.abandoned;
    setCurrentDetails(`${describeState(run, plan)} ${formatCount(abandoned, 'attempt', 'attempts')} abandoned so far.`);
    if (plan.state === 'done' || plan.state === 'replaced') {
      upsertSearchAttributes([{ key: searchAttributes.outcome, value: plan.state }]);
      return { outcome: plan.state, abandoned };
    }
    if (shouldContinueAsNew()) return continueAsNew<typeof attemptExpiry>(run, abandoned);
    if (plan.state === 'waits') await condition(() => received.look, waitMs(plan), { summary: 'the next attempt that is over' });
  }
}

const waitMs = ({ nextAtMs }: ExpiryPlan): number => Math.min(Math.max((nextAtMs ?? 0) - Date.now(), minWaitMs), maxWaitMs);

function describeState({ examId }: ExpiryRun, { state, waiting, nextAtMs }: ExpiryPlan): string {
  switch (state) {
    case 'more':
      return `Attempts at \`${examId}\` are being abandoned.`;
    case 'waits':
      return `**${formatCount(waiting, 'attempt', 'attempts')}** at \`${examId}\` in progress; the next is over at ${new Date(nextAtMs ?? 0).toISOString()}.`;
    case 'done':
      return `No attempt at \`${examId}\` runs out of time any more.`;
    case 'replaced':
      return `Another run waits for the attempts at \`${examId}\`.`;
  }
}
