import type { Domain } from '../../domain/context';
import { abandonDueAttempts } from '../../domain/attempts/abandonDueAttempts';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import { activityNow } from '../activityNow';

type ExpiryRun = WorkflowArguments['attemptExpiry'];

/** The state of an exam's attempts after an activity; fields of the next expiry are null unless it waits. */
export interface ExpiryPlan {
  state: 'more' | 'waits' | 'done' | 'replaced';
  abandoned: number;
  waiting: number;
  nextAtMs: number | null;
}

/** The activities of the workflow that expires attempts. `nowMs` is the workflow's time. */
export interface AttemptActivities {
  /** Abandons one chunk of the due attempts, and returns what comes next. */
  abandonAttempts(run: ExpiryRun, nowMs: number): Promise<ExpiryPlan>;
}

/** Returns the activities of attempts; each call is one transaction and idempotent. */
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
