import { updateLastSuccesses, type RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import type { Sql } from '../../db/statement';
import { createBatchWriter, type BatchWriter, type BatchWriterOptions } from './batchWriter';

/** Minimum interval between two looks at the endpoints that had successes, in ms. */
const lookEveryMs = 50;

/** How much later than the one that is written a success of a healthy endpoint is when it is written, too, in ms: each write is a version of the endpoint's row. */
const writeEveryMs = 1_000;

/** A successful attempt. */
type Success = Pick<RecordedAttempt, 'endpoint_id' | 'institution_id' | 'ended_at'>;

/** One that is not written. */
interface Deferred {
  attempt: Success;
  /** Whether none came since the last round. */
  isQuiet: boolean;
}

type Options = Pick<BatchWriterOptions<Success>, 'onError' | 'isStopping' | 'lockKey'> & {
  /** Called with each endpoint whose circuit was closed by a success of the group, and the time of its latest. */
  onClosed: (endpointId: string, at: Date) => void;
};

/**
 * Writes when endpoints last had a success: at once if it ends a failure, else once a second. The last one before a pause is written
 * within two seconds, and by `flush`.
 */
export function createLastSuccesses(sql: Sql, { onClosed, ...common }: Options): BatchWriter<Success> {
  const deferred = new Map<string, Deferred>();
  let nextRound: NodeJS.Timeout | undefined;

  const write = async (group: readonly Success[], laterByMs: number): Promise<Set<string>> => {
    const { written, closed } = await updateLastSuccesses(sql, group, laterByMs);
    const latest = new Date(Math.max(...group.map(({ ended_at }) => ended_at.getTime())));
    for (const endpointId of closed) onClosed(endpointId, latest);
    return new Set(written);
  };
  const last = createBatchWriter<Success>({ ...common, write: async (group) => { await write(group, 0); } });
  const writeLast = (isDue: (one: Deferred) => boolean): void => {
    for (const [endpointId, one] of deferred) {
      if (isDue(one)) {
        last.add(one.attempt);
        deferred.delete(endpointId);
      }
      one.isQuiet = true;
    }
  };
  const startRound = (): void => {
    if (deferred.size === 0) return;
    nextRound ??= setTimeout(() => {
      nextRound = undefined;
      writeLast(({ isQuiet }) => isQuiet);
      startRound();
    }, writeEveryMs).unref();
  };
  const all = createBatchWriter<Success>({
    ...common,
    write: async (group) => {
      const written = await write(group, writeEveryMs);
      for (const attempt of group) {
        const before = deferred.get(attempt.endpoint_id)?.attempt;
        if (written.has(attempt.endpoint_id)) deferred.delete(attempt.endpoint_id);
        else deferred.set(attempt.endpoint_id, { attempt: before !== undefined && before.ended_at > attempt.ended_at ? before : attempt, isQuiet: false });
      }
      startRound();
    },
    batchDelayMs: lookEveryMs,
  });
  return {
    add: all.add,
    flush: async () => {
      await all.flush();
      clearTimeout(nextRound);
      nextRound = undefined;
      writeLast(() => true);
      await last.flush();
    },
  };
}
