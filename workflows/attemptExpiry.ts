import { condition, continueAsNew, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { AttemptActivities, ExpiryPlan } from '../activities/exams/expireAttempts';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { look } from './contract';
import { formatCount } from './formatCount';
import { institutionNowMs } from './institutionNow';
import { setOutcome } from './setOutcome';
import { shouldContinueAsNew } from './shouldContinueAsNew';

type ExpiryRun = WorkflowArguments['attemptExpiry'];

/** The outcome of a run, shown as the workflow's result. */
export interface ExpiryResult {
  outcome: 'done' | 'replaced';
  abandoned: number;
}

const { abandonAttempts } = proxyActivities<AttemptActivities>({
  // One transaction: after this time another worker takes over from a killed one.
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

/** Attempts that expire within this time of each other are handled together, in ms. */
const minWaitMs = 1_000;
/** A due date may be years ahead; Postgres is checked at least once a month. */
const maxWaitMs = 30 * 24 * 3_600_000;

/**
 * Waits for an exam's attempts to expire and abandons them; once the exam is closed, all that are in progress. Ends when no
 * attempt with an expiry is left.
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
      setOutcome(plan.state);
      return { outcome: plan.state, abandoned };
    }
    if (shouldContinueAsNew()) return continueAsNew<typeof attemptExpiry>(run, abandoned);
    if (plan.state === 'waits') await condition(() => received.look, waitMs(plan), { summary: 'the next attempt to expire' });
  }
}

const waitMs = (plan: ExpiryPlan): number => Math.min(Math.max((plan.nextAtMs ?? 0) - institutionNowMs(plan), minWaitMs), maxWaitMs);

function describeState({ examId }: ExpiryRun, { state, waiting, nextAtMs }: ExpiryPlan): string {
  switch (state) {
    case 'more':
      return `Attempts at \`${examId}\` are being abandoned.`;
    case 'waits':
      return `**${formatCount(waiting, 'attempt', 'attempts')}** at \`${examId}\` in progress; the next expires at ${new Date(nextAtMs ?? 0).toISOString()}.`;
    case 'done':
      return `No attempt at \`${examId}\` is left to expire.`;
    case 'replaced':
      return `Another run waits for the attempts at \`${examId}\`.`;
  }
}
