import type { RecordedAttempt } from '../../db/repositories/attempts';
import type { Sql } from '../../db/statement';
import { noteRecoveries, writeFailures, writeSuccesses } from '../../domain/webhooks/recordAttempts';
import { createBatches } from './batches';

/** An endpoint's health is a few numbers in one row: it is kept this often at most, in ms. */
const healthEveryMs = 50;

/** Writes attempts in groups. */
export interface Recorder {
  add(attempt: RecordedAttempt): void;
  /** Resolves when everything added so far is written. */
  flushed(): Promise<void>;
}

export interface RecorderHooks {
  /** Told of each group that is written. */
  onWritten: (attempts: readonly RecordedAttempt[]) => void;
  /** Told when a group has left something for Temporal. */
  onOwed: () => void;
  /** Told when a circuit has closed and held deliveries wait for the sender. */
  onReleased: () => void;
  onError: (error: unknown) => void;
  isStopping: () => boolean;
}

/**
 * A recorder for one claimer; what it cannot write before it stops falls back to pending when its lease lapses.
 * Successes, failures and the endpoints' health go apart: a lock on one endpoint keeps only its failures waiting.
 */
export function createRecorder(sql: Sql, claimedBy: string, hooks: RecorderHooks): Recorder {
  const { onWritten, onOwed, onReleased, onError, isStopping } = hooks;
  const health = createBatches<RecordedAttempt>({ write: (group) => noteRecoveries(sql, group, onReleased), onError, isStopping, gatherMs: healthEveryMs });
  const successes = createBatches<RecordedAttempt>({
    write: async (group) => {
      await writeSuccesses(sql, group, claimedBy);
      onWritten(group);
      for (const attempt of group) health.add(attempt);
    },
    onError,
    isStopping,
  });
  const failures = createBatches<RecordedAttempt>({
    write: async (group) => {
      if ((await writeFailures(sql, group, claimedBy)) > 0) onOwed();
      onWritten(group);
    },
    onError,
    isStopping,
  });
  return {
    add: (attempt) => (attempt.status === 'delivered' ? successes : failures).add(attempt),
    flushed: async () => {
      await Promise.all([successes.flushed(), failures.flushed()]);
      await health.flushed();
    },
  };
}
