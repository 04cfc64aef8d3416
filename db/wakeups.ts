import type { Database } from './database';

/** The channel on which workers hear that events or owed workflows wait. */
export const wakeupChannel = 'institution_work';

/** Tells the workers that there is work, after the commit and never inside a transaction. */
export interface Wakeups {
  /** Returns at once; calls while one is on its way are sent as one. */
  send(): void;
  /** Resolves when what was to be sent is sent. */
  close(): Promise<void>;
}

/** Wake-ups over NOTIFY; one that fails is told to `onError`, and the workers find the work at their next look. */
export function createWakeups(database: Pick<Database, 'pool'>, onError: (error: unknown) => void): Wakeups {
  let wanted = false;
  let sending: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    while (wanted) {
      wanted = false;
      await database.pool.query(`NOTIFY ${wakeupChannel}`).catch(onError);
    }
    sending = undefined;
  };
  return {
    send: () => {
      wanted = true;
      sending ??= drain();
    },
    close: async () => {
      await sending;
    },
  };
}
