import type { Domain } from '../../domain/context';
import { abandonDueAttempts } from '../../domain/attempts/abandonDueAttempts';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import { activityNow } from '../activityNow';

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
      const expiry = await transact(domain, { institutionId, now: activityNow(nowMs) }, (tx) => abandonDueAttempts(tx, run));
      const { state, abandoned } = expiry;
      return expiry.state === 'waits'
        ? { state, abandoned, waiting: expiry.waiting, nextAtMs: expiry.nextAt.getTime() }
        : { state, abandoned, waiting: 0, nextAtMs: null };
    },
  };
}
