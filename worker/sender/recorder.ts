import type { RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import type { Sql } from '../../db/statement';
import { FailuresInRow } from '../../domain/webhooks/consecutiveFailures';
import { letHeldGo, noteRecoveries, writeFailures, writeSuccesses } from '../../domain/webhooks/recordAttempts';
import { createBatches } from './batchWriter';

/** An endpoint's health is a few numbers in one row: it is kept this often at most, in ms. */
const healthEveryMs = 50;

/** After a group of records the next one gathers for so long, in ms: at hundreds a second each would else be a commit of its own. */
const recordEveryMs = 5;

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
 * Successes, failures and the endpoints' health go apart, and an institution that is locked keeps only its own waiting.
 */
export function createRecorder(sql: Sql, claimedBy: string, hooks: RecorderHooks): Recorder {
  const { onWritten, onOwed, onReleased, onError, isStopping } = hooks;
  const inRow = new FailuresInRow();
  const common = { onError, isStopping, lockedWith: ({ institution_id }: RecordedAttempt): string => institution_id };

  // Unawaited: what one endpoint held must not keep the others' health waiting. Its backlog lets go what is left.
  const letGo = (endpointId: string): void => {
    letHeldGo(sql, endpointId, onReleased).then((owed) => {
      if (owed > 0) onOwed();
    }, onError);
  };
  const health = createBatches<RecordedAttempt>({
    ...common,
    write: async (group) => {
      for (const endpointId of await noteRecoveries(sql, group)) letGo(endpointId);
    },
    gatherMs: healthEveryMs,
  });
  const successes = createBatches<RecordedAttempt>({
    ...common,
    write: async (group) => {
      await writeSuccesses(sql, group, claimedBy);
      onWritten(group);
      for (const attempt of group) health.add(attempt);
    },
    gatherMs: recordEveryMs,
  });
  const failures = createBatches<RecordedAttempt>({
    ...common,
    write: async (group) => {
      if ((await writeFailures(sql, group, claimedBy, inRow)) > 0) onOwed();
      onWritten(group);
    },
    gatherMs: recordEveryMs,
  });
  return {
    add: (attempt) => {
      if (attempt.status === 'delivered') inRow.succeeded(attempt);
      (attempt.status === 'delivered' ? successes : failures).add(attempt);
    },
    flushed: async () => {
      await Promise.all([successes.flushed(), failures.flushed()]);
      await health.flushed();
    },
  };
}
