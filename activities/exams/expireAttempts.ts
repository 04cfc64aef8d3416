import type { Domain } from '../../domain/context';
import { abandonDue } from '../../domain/attempts/abandonDueAttempts';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import { timeOfWork } from '../activityNow';

type ExpiryRun = WorkflowArguments['attemptExpiry'];

/** How it stands with an exam's attempts once an activity has done its share; what it waits for is null unless it waits. */
export interface ExpiryPlan {
  state: 'more' | 'waits' | 'done' | 'replaced';
  abandoned: number;
  waiting: number;
  nextAtMs: number | null;
}

/** What waiting for attempts to run out of time calls. `nowMs` is the workflow's time. */
export interface AttemptActivities {
  /** Abandons one chunk of what is due, and says what comes next. */
  abandonAttempts(run: ExpiryRun, nowMs: number): Promise<ExpiryPlan>;
}

/** The activities of attempts over one domain; each call is one transaction, and may be repeated. */
export function createAttemptActivities(domain: Domain): AttemptActivities {
  return {
    abandonAttempts: async (run, nowMs) => {
      const { institutionId } = run;
      const standing = await transact(domain, { institutionId, now: timeOfWork(nowMs) }, (tx) => abandonDue(tx, run));
      const { state, abandoned } = standing;
      return standing.state === 'waits'
        ? { state, abandoned, waiting: standing.waiting, nextAtMs: standing.nextAt.getTime() }
        : { state, abandoned, waiting: 0, nextAtMs: null };
    },
  };
}
