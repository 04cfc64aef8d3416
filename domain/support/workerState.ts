import { readWaitingWork, type WaitingWork } from '../../db/repositories/metrics/gauges';
import type { Domain } from '../context';

/** A worker without work asks Temporal again every minute. */
const pollsWithinMs = 120_000;

/** Whether workers work, and what waits for them. */
export interface WorkerState {
  /** Whether a worker has asked Temporal for work lately; undefined while Temporal does not respond. */
  isPolling: boolean | undefined;
  lastPollAt: Date | null;
  waiting: WaitingWork;
}

/** Returns whether workers work, and what waits for them, over all institutions. */
export async function readWorkerState({ database, findLastPoll }: Pick<Domain, 'database' | 'findLastPoll'>, now: Date): Promise<WorkerState> {
  const [lastPollAt, waiting] = await Promise.all([findLastPoll(), readWaitingWork(database.sql, now)]);
  const isPolling = lastPollAt === undefined ? undefined : lastPollAt !== null && now.getTime() - lastPollAt.getTime() < pollsWithinMs;
  return { isPolling, lastPollAt: lastPollAt ?? null, waiting };
}
