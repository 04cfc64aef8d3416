import type { Domain } from '../../domain/context';
import { abandonDueAttempts } from '../../domain/attempts/abandonDueAttempts';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import { activityTime, clockAhead } from '../activityNow';

type ExpiryRun = WorkflowArguments['attemptExpiry'];

/** The state of an exam's attempts after an activity; fields of the next expiry are null unless it waits. */
export interface ExpiryPlan {
  state: 'more' | 'waits' | 'done' | 'replaced';
  abandoned: number;
  waiting: number;
  nextAtMs: number | null;
  /** How far the clock of a sandbox is ahead, by which the next expiry is; absent if it is not. */
  clockOffsetMs?: number;
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
      const time = await activityTime(domain.database.sql, institutionId, nowMs);
      const expiry = await transact(domain, { institutionId, now: time.now }, (tx) => abandonDueAttempts(tx, run));
      const { state, abandoned } = expiry;
      return expiry.state === 'waits'
        ? { state, abandoned, waiting: expiry.waiting, nextAtMs: expiry.nextAt.getTime(), ...clockAhead(time) }
        : { state, abandoned, waiting: 0, nextAtMs: null };
    },
  };
}
