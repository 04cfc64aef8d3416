import { Socket } from 'node:net';
import type { Client, PoolClient } from 'pg';
import { serviceSettings } from './sessionSettings';

/*
 * A host, a managed Postgres or a network path may go away without closing its connections. TCP itself notices after a quarter of an
 * hour what was sent and not acknowledged, and after hours an end that is silent.
 */

/** What connections to Postgres ask of the operating system: probes of an end that is silent, from 10 s on instead of two hours. */
export const keepAliveOptions = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** How much longer than the server's own timeout of statements a client waits for any response, in ms. */
const graceMs = 5_000;
/** How long the server may say nothing while it has a statement of a connection, in ms. */
export const responseTimeoutMs = Number(serviceSettings.statement_timeout) + graceMs;
/** A process that was itself suspended reads first what has arrived meanwhile, in ms. */
const readFirstMs = 1_000;

const socketOf = ({ connection: { stream } }: Client | PoolClient): Socket | undefined => (stream instanceof Socket ? stream : undefined);

/** Whether a statement was sent whose response is not complete. */
const awaitsResponse = (client: Client | PoolClient): boolean => Reflect.get(client, 'readyForQuery') === false;

/** Has a connection end with an error once the server has said nothing about a statement for {@link responseTimeoutMs}. */
export function requireResponses(client: Client | PoolClient): void {
  const socket = socketOf(client);
  socket?.setTimeout(responseTimeoutMs, () => {
    const { bytesRead } = socket;
    const end = (): void => {
      if (awaitsResponse(client) && socket.bytesRead === bytesRead && !socket.destroyed) {
        socket.destroy(new Error(`Connection terminated: Postgres said nothing for ${responseTimeoutMs} ms`));
      }
    };
    if (awaitsResponse(client)) setTimeout(end, readFirstMs).unref();
  });
}

/** Lets statements of a connection take as long as they take, until the returned function is called. */
export function waiveResponses(client: Client | PoolClient): () => void {
  const socket = socketOf(client);
  const before = socket?.timeout ?? 0;
  socket?.setTimeout(0);
  return () => void socket?.setTimeout(before);
}
