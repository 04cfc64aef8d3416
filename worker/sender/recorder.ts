import type { RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import type { Sql } from '../../db/statement';
import { ConsecutiveFailures } from '../../domain/webhooks/consecutiveFailures';
import { releaseHeld, noteRecoveries, writeFailures, writeSuccesses } from '../../domain/webhooks/recordAttempts';
import { createBatchWriter } from './batchWriter';

/** An endpoint's health is a few numbers in one row: it is kept this often at most, in ms. */
const healthEveryMs = 50;

/** After a group of records the next one gathers for so long, in ms: at hundreds a second each would else be a commit of its own. */
const recordEveryMs = 5;

/** Writes attempts in groups. */
export interface Recorder {
  add(attempt: RecordedAttempt): void;
  /** Resolves when everything added so far is written. */
  flush(): Promise<void>;
}

export interface RecorderHooks {
  /** Told of each group that is written. */
  onWritten: (attempts: readonly RecordedAttempt[]) => void;
  /** Told when a group has left something for Temporal. */
  onOutboxAppended: () => void;
  /** Told when a circuit has closed and held deliveries wait for the sender. */
  onReleased: () => void;
  onError: (error: unknown) => void;
  isStopping: () => boolean;
}

/**
 * A recorder for one claimer; what it cannot write before it stops falls back to pending when its lease lapses.
 * Successes, failures and the endpoints' health go apart, and an institution that is locked keeps only its own waiting.
 */
export function createRecorder(sql: Sql, claimedBy: string, hooks: RecorderHooks): Recorder {
  const { onWritten, onOutboxAppended, onReleased, onError, isStopping } = hooks;
  const consecutiveFailures = new ConsecutiveFailures();
  const common = { onError, isStopping, lockedWith: ({ institution_id }: RecordedAttempt): string => institution_id };

  // Unawaited: what one endpoint held must not keep the others' health waiting. Its backlog lets go what is left.
  const releaseHeldOf = (endpointId: string, now: Date): void => {
    releaseHeld(sql, endpointId, now, onReleased).then((appended) => {
      if (appended > 0) onOutboxAppended();
    }, onError);
  };
  const health = createBatchWriter<RecordedAttempt>({
    ...common,
    write: async (group) => {
      const latest = new Date(Math.max(...group.map(({ ended_at }) => ended_at.getTime())));
      for (const endpointId of await noteRecoveries(sql, group)) releaseHeldOf(endpointId, latest);
    },
    batchDelayMs: healthEveryMs,
  });
  const successes = createBatchWriter<RecordedAttempt>({
    ...common,
    write: async (group) => {
      await writeSuccesses(sql, group, claimedBy);
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
