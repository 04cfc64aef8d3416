import type { Logger } from '../../config/logger';
import type { Database } from '../../db/database';
import { claimOwed, postponeOwed, settleOwed, type OwedRow } from '../../db/repositories/outbox/outbox';
import { leaseMs, retryWaitMs, type WorkflowEngine } from '../../domain/outbox/workflowEngine';
import { repeating, type Repeating } from '../../lib/repeatingTask';
import { AdaptiveConcurrency } from './adaptiveConcurrency';

const lookEveryMs = 1_000;

/**
 * Tells Temporal what is owed, oldest first and in order for each workflow: calls to several go side by side, so that a slow one
 * delays its own workflow alone. While Temporal is away it looks once a second.
 */
export function startRelay(database: Database, engine: WorkflowEngine, logger: Logger): Repeating {
  const { sql } = database;
  const concurrency = new AdaptiveConcurrency();
  const underWay = new Set<Promise<void>>();
  /** What Temporal has taken and the outbox still holds. */
  let taken: string[] = [];
  let away = false;
  let stopping = false;
  let lastAnsweredAt = -Infinity;

  const noteReachable = (reachable: boolean): void => {
    if (away === reachable) logger.warn({ reachable }, reachable ? 'temporal answers again' : 'temporal does not answer; what is owed waits');
    away = !reachable;
  };
  const told = async (row: OwedRow): Promise<boolean> => {
    const begunAt = performance.now();
    const end = concurrency.begin();
    const answer = await engine.tell(row);
    const answered = answer === 'done' || answer.failed === 'refused';
    end(answered);
    if (answered) {
      lastAnsweredAt = performance.now();
      noteReachable(true);
    } else if (lastAnsweredAt < begunAt) {
      noteReachable(false);
    }
    if (answer !== 'done') await postponeOwed(sql, row.seq, retryWaitMs(answer.failed, row.tries, !away), answer.message);
    return answer === 'done';
  };
  /** Tells one workflow its rows, one after the other, while the lease of the first is sure to hold: all stay in the outbox until then. */
  const tellAll = async (rows: readonly OwedRow[], claimedAt: number): Promise<void> => {
    const done: string[] = [];
    try {
      for (const row of rows) {
        if (done.length > 0 && (stopping || performance.now() - claimedAt > leaseMs / 2)) return;
        if (!(await told(row))) return;
        done.push(row.seq);
      }
    } finally {
      taken.push(...done);
    }
  };
  const onError = (error: unknown): void => logger.error({ err: error }, 'the relay could not reach its store');
  const settle = async (): Promise<void> => {
    const seqs = taken;
    taken = [];
    await settleOwed(sql, seqs);
  };
  const relay = repeating(
    async () => {
      // What one round has told is removed together by the next, before it claims: then the next rows of the same workflows are due.
      await settle();
      const claimedAt = performance.now();
      for (const rows of await claimOwed(sql, concurrency.free, leaseMs)) {
        const telling = tellAll(rows, claimedAt)
          .catch(onError)
          .finally(() => {
            underWay.delete(telling);
            if (!away) relay.wake();
          });
        underWay.add(telling);
      }
    },
    { everyMs: lookEveryMs, onError },
  );
  return {
    wake: relay.wake,
    stop: async () => {
      stopping = true;
      await relay.stop();
      await Promise.all(underWay);
      await settle().catch(onError);
    },
  };
}
