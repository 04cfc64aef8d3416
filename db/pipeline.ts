import { Client, type PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';
import { toQueryConfig, type Statement } from './statement';

/*
 * A connection of the pool sends statements without waiting for the responses to those before. What it sends together is one message.
 */

function isPoolClient(connection: unknown): connection is PoolClient {
  return connection instanceof Client;
}

/** Returns the connection of TypeORM's query runner. */
export async function connectionOf(runner: QueryRunner): Promise<PoolClient> {
  const connection: unknown = await runner.connect();
  if (!isPoolClient(connection)) throw new Error('The query runner has no Postgres connection');
  return connection;
}

/** Sends the statements that `send` queues as one message. */
export function sendTogether<Sent>({ connection: { stream } }: PoolClient, send: () => Sent): Sent {
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** Waits for the responses to statements of one transaction; fails with the first error, because Postgres refuses what comes after it. */
export async function allSucceed(sent: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/**
 * Begins a transaction in one message with the statement that follows at once, and without waiting for a response. Postgres refuses
 * every statement after a beginning that failed; the returned promise has the reason, and need not be waited for.
 */
export function beginSoon(connection: PoolClient, beginning: string): Promise<unknown> {
  const { stream } = connection.connection;
  stream.cork();
  const begun = connection.query(beginning);
  begun.catch(() => undefined);
  setImmediate(() => stream.uncork());
  return begun;
}

/** Runs a statement between two others of its transaction, in one round trip: none that is sent meanwhile comes between. */
export async function runBetween<Row extends object>(
  connection: PoolClient,
  [before, after]: readonly [before: string, after: string],
  query: Statement | string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const sent = sendTogether(connection, () => [connection.query(before), connection.query<Row>(toQueryConfig(query, values)), connection.query(after)] as const);
  await allSucceed(sent);
  return (await sent[1]).rows;
}
