import { setTimeout as pause } from 'node:timers/promises';

const mostAtOnce = 500;
const retryPauseMs = 250;

/** Writes what it is given in groups: while one group is being written the next one gathers. */
export interface Batches<Item> {
  add(item: Item): void;
  /** Resolves when everything added so far is written, or given up. */
  flushed(): Promise<void>;
}

/** How one group is written, and what is done when it cannot be. */
export interface BatchWriting<Item> {
  write: (group: readonly Item[]) => Promise<void>;
  onError: (error: unknown) => void;
  /** A group that is refused is tried again until it is taken or this says so. */
  isStopping: () => boolean;
  /** Whose lock an item may wait for: those of others do not wait with it. */
  lockedWith?: (item: Item) => string;
  /** After a group the next one gathers for so long at least, in ms; none without. */
  gatherMs?: number;
}

/** SQLSTATE classes of what no repetition mends: bad data and broken constraints. */
const isHopeless = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);

/** SQLSTATE of a lock that did not come in time. */
const isLocked = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '55P03';

function partsOf<Item>(group: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const parts = new Map<string, Item[]>();
  for (const item of group) {
    const part = parts.get(keyOf(item)) ?? [];
    part.push(item);
    parts.set(keyOf(item), part);
  }
  return [...parts.values()];
}

/** Groups of up to 500. One item that can never be written is logged and let go; it does not keep back the others of its group. */
export function createBatches<Item>({ write, onError, isStopping, gatherMs, lockedWith }: BatchWriting<Item>): Batches<Item> {
  const waiting: Item[] = [];
  let writing: Promise<void> | undefined;

  /** Writes those apart whose locks are not held by somebody else; the others wait for a later group. */
  const writeApart = async (parts: readonly (readonly Item[])[]): Promise<void> => {
    await Promise.all(
      parts.map((part) =>
        write(part).catch((error: unknown) => {
          onError(error);
          waiting.push(...part);
        }),
      ),
    );
  };
  const writeAll = async (group: readonly Item[]): Promise<void> => {
    for (;;) {
      try {
        await write(group);
        return;
      } catch (error) {
        onError(error);
        if (isHopeless(error)) {
          if (group.length > 1) for (const item of group) await writeAll([item]);
          return;
        }
        if (isStopping()) return;
        await pause(retryPauseMs);
        if (isLocked(error) && lockedWith !== undefined) {
          await writeApart(partsOf(group, lockedWith));
          return;
        }
      }
    }
  };
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      await writeAll(waiting.splice(0, mostAtOnce));
      if (gatherMs !== undefined && !isStopping()) await pause(gatherMs);
    }
    writing = undefined;
  };
  return {
    add: (item) => {
      waiting.push(item);
      writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(drain);
    },
    flushed: async () => {
      while (writing !== undefined) await writing;
    },
  };
}
