import { setTimeout as pause } from 'node:timers/promises';
import type { NewDisclosure } from '../../db/repositories/disclosures/disclosures';
import { continueTrace } from '../../lib/tracing';

/** What becomes of disclosures, in the counter of a process. */
export type DisclosureOutcome = 'recorded' | 'dropped';

/** Collects reads of people's data, and writes them in batches that no read waits for. */
export interface DisclosureLog {
  /** Adds a read to the next batch; drops it while the buffer is full. */
  add(disclosure: NewDisclosure): void;
  /** Writes what is waiting; what cannot be written then is dropped. */
  close(): Promise<void>;
}

/** How batches are written, and what is counted. */
export interface DisclosureLogOptions {
  write: (batch: readonly NewDisclosure[]) => Promise<void>;
  onOutcome: (outcome: DisclosureOutcome, count: number) => void;
  onError: (error: unknown) => void;
  /** Maximum number of reads that wait. */
  capacity?: number;
  /** How long a batch collects, in ms. */
  batchDelayMs?: number;
  /** How long a batch that failed waits to be written again, in ms. */
  retryDelayMs?: number;
}

const maxBatchSize = 500;
const defaultCapacity = 10_000;
const defaultBatchDelayMs = 500;

/** Whether the database refuses the rows themselves, now and at any time: bad data and broken constraints. */
const isPermanentError = (error: unknown): boolean => error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);

/** Returns a log whose buffer holds 10,000 reads. What a killed process has not yet written is lost: the last half second, unless Postgres is away. */
export function createDisclosureLog({ write, onOutcome, onError, capacity = defaultCapacity, batchDelayMs = defaultBatchDelayMs, retryDelayMs = 1_000 }: DisclosureLogOptions): DisclosureLog {
  const waiting: NewDisclosure[] = [];
  const closing = new AbortController();
  let writing: Promise<void> | undefined;

  const sleep = (ms: number): Promise<unknown> => pause(ms, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);

  /** Writes a batch, and returns how many of its first rows are settled; those that the database refuses are dropped, and do not take others with them. */
  const tryWrite = async (batch: readonly NewDisclosure[]): Promise<number> => {
    try {
      await write(batch);
      onOutcome('recorded', batch.length);
      return batch.length;
    } catch (error) {
      onError(error);
      if (!isPermanentError(error)) return 0;
      if (batch.length > 1) return writeEach(batch);
      onOutcome('dropped', 1);
      return 1;
    }
  };
  /** Ends at the first that cannot be written now: the rest is written again. */
  const writeEach = async (batch: readonly NewDisclosure[]): Promise<number> => {
    for (const [settled, disclosure] of batch.entries()) if ((await tryWrite([disclosure])) === 0) return settled;
    return batch.length;
  };
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (waiting.length < maxBatchSize) await sleep(batchDelayMs);
      const batch = waiting.slice(0, maxBatchSize);
      const settled = await tryWrite(batch);
      waiting.splice(0, settled);
      if (settled === batch.length) continue;
      if (closing.signal.aborted) onOutcome('dropped', waiting.splice(0).length);
      else await sleep(retryDelayMs);
    }
    writing = undefined;
  };
  return {
    add: (disclosure) => {
      if (waiting.length >= capacity) {
        onOutcome('dropped', 1);
        return;
      }
      waiting.push(disclosure);
      // It writes the reads of other calls, too: it belongs to the trace of none.
      writing ??= continueTrace(null, drain);
    },
    close: async () => {
      closing.abort();
      await writing;
    },
  };
}
