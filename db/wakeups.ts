import type { Database } from './database';

/** The channel that notifies workers of waiting work. */
export const wakeupChannel = 'institution_work';

/** Kinds of work for the workers: events to be fanned out, deliveries to be sent, outbox rows, emails with sign-in codes. */
export const workKinds = ['events', 'deliveries', 'workflows', 'emails'] as const;
export type WorkKind = (typeof workKinds)[number];

/** Notifies the workers of work, after the commit and never inside a transaction. */
export interface Wakeups {
  /** Returns immediately; calls during a notification are combined into one. */
  send(work: readonly WorkKind[]): void;
  /** Resolves when all notifications are sent. */
  close(): Promise<void>;
}

// A NOTIFY is a commit; it need not wait for the disk, because work lost in a crash is found by the next poll.
const localAsyncCommit = 'SET LOCAL synchronous_commit = off';

/** Returns wake-ups over NOTIFY; calls `onError` if one fails: then the workers find the work when they poll next. */
export function createWakeups(database: Pick<Database, 'pool'>, onError: (error: unknown) => void): Wakeups {
  const wanted = new Set<WorkKind>();
  let sending: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    while (wanted.size > 0) {
      const payload = [...wanted].join();
      wanted.clear();
      await database.pool.query(`${localAsyncCommit}; NOTIFY ${wakeupChannel}, '${payload}'`).catch(onError);
    }
    sending = undefined;
  };
  return {
    send: (work) => {
      for (const kind of work) wanted.add(kind);
      sending ??= drain();
    },
    close: async () => {
      await sending;
    },
  };
}

/** Returns the kinds of work that a notification names; all kinds if it names none. */
export function parseWorkKinds(payload: string | undefined): readonly WorkKind[] {
  const named = (payload ?? '').split(',');
  const found = workKinds.filter((kind) => named.includes(kind));
  return found.length > 0 ? found : workKinds;
}
