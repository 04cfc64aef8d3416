import { isLockTimeout } from '../../db/lockTimeout';
import { setTimeout as pause } from 'node:timers/promises';

const maxBatchSize = 500;
const retryPauseMs = 250;

/** Writes items in groups: while one group is being written the next one collects. */
export interface BatchWriter<Item> {
  add(item: Item): void;
  /** Resolves when everything added so far is written or abandoned. */
  flush(): Promise<void>;
}

/** How one group is written, and what happens if that fails. */
export interface BatchWriterOptions<Item> {
  write: (group: readonly Item[]) => Promise<void>;
  onError: (error: unknown) => void;
  /** A failing group is retried until it is written or this returns true. */
  isStopping: () => boolean;
  /** The key of the lock that an item may wait for: after a group meets a held lock, its items are written separately, so that others do not wait with them. */
  lockKey?: (item: Item) => string;
  /** Called once for each item that is written or abandoned. */
  onSettled?: (item: Item) => void;
  /** Minimum time in which the next group collects after a group, in ms; 0 if absent. */
  batchDelayMs?: number;
}

/** Whether an SQLSTATE class cannot be fixed by a retry: bad data and broken constraints. */
const isPermanentError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);

function groupByKey<Item>(group: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const parts = new Map<string, Item[]>();
  for (const item of group) {
    const part = parts.get(keyOf(item)) ?? [];
    part.push(item);
    parts.set(keyOf(item), part);
  }
  return [...parts.values()];
}

/** Returns a writer of groups of up to 500. An item that can never be written is logged and dropped; it does not block its group. */
export function createBatchWriter<Item>({ write, onError, isStopping, batchDelayMs, lockKey, onSettled = () => undefined }: BatchWriterOptions<Item>): BatchWriter<Item> {
  const waiting: Item[] = [];
  /** Items written separately because their locks are held, by lock key; further ones with the same key are appended. */
  const isolated = new Map<string, Item[]>();
  const isolatedWrites = new Set<Promise<void>>();
  let writing: Promise<void> | undefined;

  // Only one of those whose locks are held waits at a time, so that they do not occupy every connection.
  let lastRetry: Promise<unknown> = Promise.resolve();
  const retry = (group: readonly Item[]): Promise<void> => {
    const written = lastRetry.then(() => write(group));
    lastRetry = written.catch(() => undefined);
    return written;
  };

  /** Writes a part until it and what was appended to it are written; others do not wait for it. */
  const writeIsolated = async (key: string, part: readonly Item[]): Promise<void> => {
    let group = part;
    while (group.length > 0) {
      await writeAll(group, false);
      group = isolated.get(key)?.splice(0, maxBatchSize) ?? [];
    }
    isolated.delete(key);
  };
  const isolate = (group: readonly Item[], keyOf: (item: Item) => string): void => {
    for (const part of groupByKey(group, keyOf)) {
      const [first] = part;
      if (first === undefined) continue;
      const key = keyOf(first);
      const queue = isolated.get(key);
      if (queue !== undefined) {
        queue.push(...part);
        continue;
      }
      isolated.set(key, []);
      const running = writeIsolated(key, part).finally(() => isolatedWrites.delete(running));
      isolatedWrites.add(running);
    }
  };
  const writeAll = async (group: readonly Item[], mayIsolate = true): Promise<void> => {
    for (let tries = 0; ; tries += 1) {
      try {
        await (tries === 0 ? write(group) : retry(group));
        break;
      } catch (error) {
        onError(error);
        if (isPermanentError(error)) {
          if (group.length === 1) break;
          for (const item of group) await writeAll([item], mayIsolate);
          return;
        }
        if (isStopping()) break;
        if (mayIsolate && isLockTimeout(error) && lockKey !== undefined) {
          isolate(group, lockKey);
          return;
        }
        await pause(retryPauseMs);
      }
    }
    group.forEach(onSettled);
  };
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      await writeAll(waiting.splice(0, maxBatchSize));
      if (batchDelayMs !== undefined && !isStopping()) await pause(batchDelayMs);
    }
    writing = undefined;
  };
  return {
    add: (item) => {
      const isolatedQueue = lockKey === undefined ? undefined : isolated.get(lockKey(item));
      if (isolatedQueue !== undefined) {
        isolatedQueue.push(item);
        return;
      }
      waiting.push(item);
      writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(drain);
    },
    flush: async () => {
      while (writing !== undefined || isolatedWrites.size > 0) await Promise.all([writing, ...isolatedWrites]);
    },
  };
}
