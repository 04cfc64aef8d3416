import { Client } from 'pg';
import { keepAliveOptions, requireResponses } from './responseTimeout';
import { workKinds, wakeupChannel, parseWorkKinds, type WorkKind } from './wakeups';

const reconnectAfterMs = 1_000;

/** Receives wake-ups; while its connection is down, the loops find the work by polling. */
export interface WakeListener {
  close(): Promise<void>;
}

/** Listens on one connection of its own and calls `onWake` for each wake-up, and with all kinds of work after every reconnect. */
export function listenForWakeups(databaseUrl: string, onWake: (work: readonly WorkKind[]) => void, onError: (error: unknown) => void): WakeListener {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async (): Promise<void> => {
    const next = new Client({ connectionString: databaseUrl, ...keepAliveOptions, connectionTimeoutMillis: 5_000 });
    client = next;
    const reconnect = (error: unknown): void => {
      // One that was replaced, or is being ended for the same failure, is no reason for another.
      if (closed || client !== next) return;
      client = undefined;
      void next.end().catch(() => undefined);
      onError(error);
      timer = setTimeout(() => void connect(), reconnectAfterMs);
    };
    next.on('error', reconnect);
    next.on('end', () => reconnect(new Error('The wake-up connection ended')));
    next.on('notification', ({ payload }) => onWake(parseWorkKinds(payload)));
    try {
      await next.connect();
      requireResponses(next);
      await next.query(`LISTEN ${wakeupChannel}`);
      onWake(workKinds);
    } catch (error) {
      reconnect(error);
    }
  };
  void connect();
  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
