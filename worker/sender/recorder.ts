import { recordSuccesses, type RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import type { Sql } from '../../db/statement';
import { ConsecutiveFailures } from '../../domain/webhooks/consecutiveFailures';
import { releaseHeld, writeFailures } from '../../domain/webhooks/recordAttempts';
import { createBatchWriter } from './batchWriter';
import { createLastSuccesses } from './lastSuccesses';

/** How long records collect after a group, in ms: at hundreds per second each would otherwise be a commit of its own. */
const recordEveryMs = 30;

/** Writes attempts in groups. */
export interface Recorder {
  add(attempt: RecordedAttempt): void;
  /** Resolves when everything added so far is written. */
  flush(): Promise<void>;
}

export interface RecorderHooks {
  /** Called for each written group. */
  onWritten: (attempts: readonly RecordedAttempt[]) => void;
  /** Called once for each failed attempt that is written or abandoned. */
  onFailureSettled: (attempt: RecordedAttempt) => void;
  /** Called when a group has appended to the outbox. */
  onOutboxAppended: () => void;
  /** Called when a circuit has closed and released deliveries wait for the sender. */
  onReleased: () => void;
  onError: (error: unknown) => void;
  isStopping: () => boolean;
}

/**
 * Returns a recorder for one claimer; deliveries not recorded before it stops become pending again when their lease expires.
 * Successes, failures and the endpoints' health are written separately, and a locked institution delays only its own.
 */
export function createRecorder(sql: Sql, claimedBy: string, hooks: RecorderHooks): Recorder {
  const { onWritten, onFailureSettled, onOutboxAppended, onReleased, onError, isStopping } = hooks;
  const consecutiveFailures = new ConsecutiveFailures();
  const common = { onError, isStopping, lockKey: ({ institution_id }: Pick<RecordedAttempt, 'institution_id'>): string => institution_id };

  // Not awaited: the deliveries held at one endpoint must not delay the others' health. Its backlog releases the remaining ones.
  const releaseHeldOf = (endpointId: string, now: Date): void => {
    releaseHeld(sql, endpointId, now, onReleased).then((appended) => {
      if (appended > 0) onOutboxAppended();
    }, onError);
  };
  const health = createLastSuccesses(sql, { ...common, onClosed: releaseHeldOf });
  const successes = createBatchWriter<RecordedAttempt>({
    ...common,
    write: async (group) => {
      await recordSuccesses(sql, group, claimedBy);
      onWritten(group);
      for (const attempt of group) health.add(attempt);
    },
    batchDelayMs: recordEveryMs,
  });
  const failures = createBatchWriter<RecordedAttempt>({
    ...common,
    write: async (group) => {
      if ((await writeFailures(sql, group, claimedBy, consecutiveFailures)) > 0) onOutboxAppended();
      onWritten(group);
    },
    onSettled: onFailureSettled,
    batchDelayMs: recordEveryMs,
  });
  return {
    add: (attempt) => {
      if (attempt.status === 'delivered') consecutiveFailures.recordSuccess(attempt);
      (attempt.status === 'delivered' ? successes : failures).add(attempt);
    },
    flush: async () => {
      await Promise.all([successes.flush(), failures.flush()]);
      await health.flush();
    },
  };
}
