import type { Logger } from '../../config/logger';
import type { Database } from '../../db/database';
import { claimOutboxRows, postponeOutboxRow, deleteOutboxRows, type OutboxRow } from '../../db/repositories/outbox/outbox';
import { leaseMs, retryWaitMs, type WorkflowEngine } from '../../domain/outbox/workflowEngine';
import { startRepeatingTask, type RepeatingTask } from '../../lib/repeatingTask';
import { startQueueStart } from '../queueStart';
import { AdaptiveConcurrency } from './adaptiveConcurrency';

const pollIntervalMs = 1_000;

/**
 * Sends the outbox to Temporal, oldest first and in order for each workflow: calls to several workflows run concurrently, so
 * that a slow one delays only its own. While Temporal is unreachable it tries once per second.
 */
export function startOutboxRelay(database: Database, engine: WorkflowEngine, logger: Logger): RepeatingTask {
  const { sql } = database;
  const concurrency = new AdaptiveConcurrency();
  const underWay = new Set<Promise<void>>();
  /** Rows sent to Temporal and not yet removed from the outbox. */
  let sent: string[] = [];
  let isUnreachable = false;
  let stopping = false;
  let lastAnsweredAt = -Infinity;

  const noteReachable = (reachable: boolean): void => {
    if (isUnreachable === reachable) logger.warn({ reachable }, reachable ? 'temporal responds again' : 'temporal does not respond; the outbox waits');
    isUnreachable = !reachable;
  };
  const send = async (row: OutboxRow): Promise<boolean> => {
    const begunAt = performance.now();
    const end = concurrency.begin();
    const result = await engine.send(row);
    const responded = result === 'done' || result.failed === 'refused';
    end(responded);
    if (responded) {
      lastAnsweredAt = performance.now();
      noteReachable(true);
    } else if (lastAnsweredAt < begunAt) {
      noteReachable(false);
    }
    if (result !== 'done') await postponeOutboxRow(sql, row.seq, retryWaitMs(result.failed, row.tries, !isUnreachable), result.message);
    return result === 'done';
  };
  /** Sends one workflow's rows, one after the other, while the lease of the first is valid: all stay in the outbox until then. */
  const sendAll = async (rows: readonly OutboxRow[], claimedAt: number): Promise<void> => {
    const done: string[] = [];
    try {
      for (const row of rows) {
        if (done.length > 0 && (stopping || performance.now() - claimedAt > leaseMs / 2)) return;
        if (!(await send(row))) return;
        done.push(row.seq);
      }
    } finally {
      sent.push(...done);
    }
  };
  const onError = (error: unknown): void => logger.error({ err: error }, 'the relay could not reach postgres');
  const settle = async (): Promise<void> => {
    const seqs = sent;
    sent = [];
    await deleteOutboxRows(sql, seqs);
  };
  const start = startQueueStart(sql, 'owed_workflows', { onReturned: () => relay.wake(), onError });
  const relay = startRepeatingTask(
    async () => {
      // Removes the rows of the previous round together before claiming: then the next rows of the same workflows become due.
      await settle();
      const claimedAt = performance.now();
      for (const rows of await claimOutboxRows(sql, concurrency.free, leaseMs, start.after())) {
        const sending = sendAll(rows, claimedAt)
          .catch(onError)
          .finally(() => {
            underWay.delete(sending);
            if (!isUnreachable) relay.wake();
          });
        underWay.add(sending);
      }
    },
    { everyMs: pollIntervalMs, onError },
  );
  return {
    wake: relay.wake,
    stop: async () => {
      stopping = true;
      await Promise.all([relay.stop(), start.stop()]);
      await Promise.all(underWay);
      await settle().catch(onError);
    },
  };
}
