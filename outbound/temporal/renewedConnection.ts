import { AsyncLocalStorage } from 'node:async_hooks';
import { Connection, type ConnectionLike } from '@temporalio/client';
import type { TemporalCredentials } from './credentials';
import { requireAccepted } from './tryCredentials';

/** Maximum delay of a reconnect, in ms; gRPC's default is two minutes. */
const reconnectWithinMs = 2_000;
/** How long calls may go on with the credentials of before, in ms: longer than any of them takes. */
const retiredCloseMs = 120_000;
/** Time between two tries of changed credentials that Temporal refuses, in ms. */
const tryAgainMs = 5_000;

/** Where a connection leads, and what is tried on it. */
interface ConnectionTarget {
  address: string;
  namespace: string;
  /** Called once for changed credentials that Temporal refuses. */
  onRefused: (error: Error) => void;
}

/**
 * Returns a connection that is opened on first use, and once more when the files of its certificates or API key have changed. Calls go
 * on with those before until the changed ones have been tried: see {@link requireAccepted}. Calls under way end as they began.
 */
export function openRenewedConnection({ address, namespace, onRefused }: ConnectionTarget, { tls, apiKey }: TemporalCredentials): ConnectionLike {
  const open = () => {
    const [by, key] = [tls(), apiKey?.()];
    const connection = Connection.lazy({ address, tls: by, ...(key === undefined ? {} : { apiKey: key }), channelArgs: { 'grpc.max_reconnect_backoff_ms': reconnectWithinMs } });
    return { by, key, connection };
  };
  const retired = new Map<Connection, NodeJS.Timeout>();
  const retire = (connection: Connection): void => {
    const close = (): void => {
      retired.delete(connection);
      void connection.close();
    };
    retired.set(connection, setTimeout(close, retiredCloseMs).unref());
  };
  let newest = open();
  let refused: ReturnType<typeof open> | undefined;
  let tryAt = 0;
  let trying: Promise<void> | undefined;
  const isFileChanged = (since: typeof newest): boolean => tls() !== since.by || apiKey?.() !== since.key;
  const renew = async (): Promise<void> => {
    const changed = open();
    try {
      await requireAccepted(changed.connection, newest.connection, namespace);
      retire(newest.connection);
      newest = changed;
    } catch (error) {
      void changed.connection.close();
      if (refused?.by !== changed.by || refused.key !== changed.key) onRefused(error instanceof Error ? error : new Error(String(error)));
      refused = changed;
      tryAt = performance.now() + tryAgainMs;
    }
  };
  /** The connection of the calls in a scope: a deadline counts on the connection alone on which it was set. */
  const scope = new AsyncLocalStorage<Connection>();
  const current = (): Connection => {
    const bound = scope.getStore();
    if (bound !== undefined) return bound;
    const isDue = performance.now() >= tryAt || (refused !== undefined && isFileChanged(refused));
    if (trying === undefined && isDue && isFileChanged(newest)) trying = renew().finally(() => { trying = undefined; });
    return newest.connection;
  };
  const within = <Result>(call: (connection: Connection) => Promise<Result>): Promise<Result> => {
    const connection = current();
    return scope.run(connection, () => call(connection));
  };
  return {
    get workflowService() {
      return current().workflowService;
    },
    get operatorService() {
      return current().operatorService;
    },
    plugins: [],
    ensureConnected: () => current().ensureConnected(),
    withDeadline: (deadline, calls) => within((connection) => connection.withDeadline(deadline, calls)),
    withMetadata: (metadata, calls) => within((connection) => connection.withMetadata(metadata, calls)),
    withAbortSignal: (signal, calls) => within((connection) => connection.withAbortSignal(signal, calls)),
    close: async () => {
      await trying;
      for (const timer of retired.values()) clearTimeout(timer);
      await Promise.all([newest.connection, ...retired.keys()].map((connection) => connection.close()));
      retired.clear();
    },
  };
}
