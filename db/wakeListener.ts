import { Client } from 'pg';
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

  const reconnect = (error: unknown): void => {
    if (closed || timer !== undefined) return;
    onError(error);
    timer = setTimeout(() => {
      timer = undefined;
      void connect();
    }, reconnectAfterMs);
  };
  const connect = async (): Promise<void> => {
    const next = new Client({ connectionString: databaseUrl, keepAlive: true, connectionTimeoutMillis: 5_000 });
    client = next;
    next.on('error', reconnect);
    next.on('end', () => reconnect(new Error('The wake-up connection ended')));
    next.on('notification', ({ payload }) => onWake(parseWorkKinds(payload)));
    try {
      await next.connect();
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
