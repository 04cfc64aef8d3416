import { exchangeTimeoutMs } from '../../outbound/webhooks/webhookClient';

/** One arrival at a receiver. */
export interface Arrival {
  /** The event's id. */
  id: string;
  /** In ms since 1970. */
  at: number;
  /** The worker that sent it; undefined if that is not known. */
  sender: string | undefined;
}

/** A time in which something was done to what some workers need, in ms since 1970. */
export interface Disturbance {
  from: number;
  to: number;
  /** Those whose attempts it may have disturbed. */
  workers: readonly string[];
  /** `unrecorded`: attempts that arrived then may be made again. `late`: attempts that arrived then may have been made by another worker before. */
  effect: 'unrecorded' | 'late';
}

/** How often events arrived again. */
export interface RepeatFigures {
  /** Arrivals of what had arrived before. */
  duplicates: number;
  /** Those of them that are the next attempt after one which is on record as failed: without an answer in time, for example. */
  retries: number;
  /** Those of them which neither that nor anything that was done to their workers explains. */
  unexplained_duplicates: number;
}

/** How long a worker that was killed may still seem to send: what it wrote before is read after. */
const readAfterMs = 1_000;

/** An attempt that began before a moment arrives at most this much earlier than that moment. */
const attemptMs = exchangeTimeoutMs;

/** The attempts of a worker that were in flight when it ended. */
export const inFlightAtEnd = (worker: string, at: number): Disturbance => ({ from: at - attemptMs, to: at + readAfterMs, workers: [worker], effect: 'unrecorded' });

/** The attempts of workers that could not write from `from` to `to`. */
export const withoutPostgres = (workers: readonly string[], from: number, to: number): Disturbance => ({ from: from - attemptMs, to, workers, effect: 'unrecorded' });

/** The attempts that a worker makes once it reads what it was answered long before. */
export const readLate = (worker: string, at: number): Disturbance => ({ from: at, to: at + attemptMs, workers: [worker], effect: 'late' });

function disturbed({ at, sender }: Arrival, effect: Disturbance['effect'], disturbances: readonly Disturbance[]): boolean {
  return disturbances.some((one) => one.effect === effect && at >= one.from && at <= one.to && (sender === undefined || one.workers.includes(sender)));
}

/**
 * Counts what arrived again, in the order of arrival. A repeat is explained if the worker that sent the arrival before it could not record
 * that, or if the worker that sent it did so late; what was done to other workers explains nothing. Of each event as many more are
 * retries as it has attempts on record that failed.
 */
export function countRepeats(arrivals: readonly Arrival[], disturbances: readonly Disturbance[], failedAttempts: ReadonlyMap<string, number>): RepeatFigures {
  const before = new Map<string, Arrival>();
  const retried = new Map<string, number>();
  let [duplicates, retries, unexplained] = [0, 0, 0];
  for (const arrival of arrivals) {
    const previous = before.get(arrival.id);
    before.set(arrival.id, arrival);
    if (previous === undefined) continue;
    duplicates += 1;
    if (disturbed(previous, 'unrecorded', disturbances) || disturbed(arrival, 'late', disturbances)) continue;
    const earlier = retried.get(arrival.id) ?? 0;
    retried.set(arrival.id, earlier + 1);
    if (earlier < (failedAttempts.get(arrival.id) ?? 0)) retries += 1;
    else unexplained += 1;
  }
  return { duplicates, retries, unexplained_duplicates: unexplained };
}
