import { hasRowsUpTo, viewQueue, type QueueName, type QueueView } from '../db/repositories/queues';
import type { Sql } from '../db/statement';
import { startRepeatingTask } from '../lib/repeatingTask';

const viewIntervalMs = 1_000;
/** One of so many views looks for rows that a crash of Postgres brought back. */
const viewsPerSearch = 5;

/**
 * Decides up to which `seq` a queue is empty and stays so. A row is written by a transaction that has its id before the row has its
 * `seq`. So every `seq` given before a transaction id belongs to a transaction with a lower id; once the `xmin` of a snapshot has
 * reached that id, all of them have ended, and what this snapshot does not show will not appear. (The `xmax` of a snapshot is no
 * such id: it follows the last transaction that has ended, and others with higher ids may be under way.)
 */
export class EmptyUpTo {
  private seq = 0n;
  private given: bigint | undefined;
  private candidate: { seq: bigint; endedBy: bigint } | undefined;

  /** The queue has no row with this `seq` or a lower one, and gets none. */
  get value(): bigint {
    return this.seq;
  }

  /** Whether the next view needs a transaction id: not where nothing has been written since. */
  get needsMark(): boolean {
    return this.candidate === undefined && this.given !== undefined && this.given > this.seq;
  }

  /** Takes a view of the rows after {@link value}; views come in their order, each made after the one before it was read. */
  observe({ lowest, last, xmin, xid }: QueueView): void {
    if (this.candidate !== undefined && BigInt(xmin) >= this.candidate.endedBy) {
      const beforeLowest = lowest === null ? this.candidate.seq : BigInt(lowest) - 1n;
      const upTo = beforeLowest < this.candidate.seq ? beforeLowest : this.candidate.seq;
      if (upTo > this.seq) this.seq = upTo;
      this.candidate = undefined;
    }
    if (this.candidate === undefined && this.given !== undefined && xid !== null) this.candidate = { seq: this.given, endedBy: BigInt(xid) };
    this.given = last === null ? undefined : BigInt(last);
  }

  /** Begins again: the server may have lost what was committed asynchronously. */
  reset(): void {
    this.seq = 0n;
    this.given = undefined;
    this.candidate = undefined;
  }
}

/** Where scans of a queue begin. */
export interface QueueStart {
  /** Rows up to this `seq` are gone. */
  after(): bigint;
  stop(): Promise<void>;
}

/**
 * Follows where a queue begins. Rows taken while an old snapshot is open, of a backup or a long report, stay in the table and in its
 * indexes until it ends: a scan from the beginning would read all of them. `onReturned` is called when rows have come back.
 */
export function startQueueStart(sql: Sql, queue: QueueName, { onReturned, onError }: { onReturned: () => void; onError: (error: unknown) => void }): QueueStart {
  const emptyUpTo = new EmptyUpTo();
  let views = 0;
  const look = async (): Promise<void> => {
    views += 1;
    if (views % viewsPerSearch === 0 && (await hasRowsUpTo(sql, queue, emptyUpTo.value))) {
      emptyUpTo.reset();
      onReturned();
    }
    emptyUpTo.observe(await viewQueue(sql, queue, emptyUpTo.value, emptyUpTo.needsMark));
  };
  const loop = startRepeatingTask(
    () => look().catch((error: unknown) => {
      emptyUpTo.reset();
      throw error;
    }),
    { everyMs: viewIntervalMs, onError },
  );
  return { after: () => emptyUpTo.value, stop: () => loop.stop() };
}
