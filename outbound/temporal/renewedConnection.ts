import { AsyncLocalStorage } from 'node:async_hooks';
import { Connection, type ConnectionLike } from '@temporalio/client';
import type { TemporalCredentials } from './credentials';

/** Maximum delay of a reconnect, in ms; gRPC's default is two minutes. */
const reconnectWithinMs = 2_000;
/** How long calls may go on with the certificates of before, in ms: longer than any of them takes. */
const retiredCloseMs = 120_000;

/**
 * Returns a connection that is opened on first use, and once more when the files of its certificates have changed: calls under way
 * end on the one before, new ones use the new certificates. The API key is that of its file at each call.
 */
export function openRenewedConnection(address: string, { tls, apiKey }: TemporalCredentials): ConnectionLike {
  const open = () => {
    const by = tls();
    const connection = Connection.lazy({ address, tls: by, ...(apiKey === undefined ? {} : { apiKey }), channelArgs: { 'grpc.max_reconnect_backoff_ms': reconnectWithinMs } });
    return { by, connection };
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
  /** The connection of the calls in a scope: a deadline counts on the connection alone on which it was set. */
  const scope = new AsyncLocalStorage<Connection>();
  const current = (): Connection => {
    const bound = scope.getStore();
    if (bound !== undefined) return bound;
    if (tls() !== newest.by) {
      retire(newest.connection);
      newest = open();
    }
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
      for (const timer of retired.values()) clearTimeout(timer);
      await Promise.all([newest.connection, ...retired.keys()].map((connection) => connection.close()));
      retired.clear();
    },
  };
}
