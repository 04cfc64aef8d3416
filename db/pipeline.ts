import { Client, DatabaseError, type Pool, type PoolClient, type QueryResult } from 'pg';
import type { QueryRunner } from 'typeorm';
import { bindingStatement } from './rowSecurity';
import { toQueryConfig, traceStatement, type Statement } from './statement';

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

/** Nothing more is to be done about a connection that broke: its statements fail, and the pool drops it. */
const ignoreError = (): void => undefined;

/** Whether an error is one of a statement alone: Postgres says of a more severe one, such as its own stop, that the connection ends. */
export const isOfOpenConnection = (error: unknown): boolean => error instanceof DatabaseError && error.severity === 'ERROR';

/** Does work on a connection of a pool, which drops it if the work fails other than by an error of a statement. */
export async function onConnection<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let isUsable = true;
  // Without a listener a connection that breaks would end the process.
  client.on('error', ignoreError);
  try {
    return await work(client);
  } catch (error) {
    isUsable = isOfOpenConnection(error);
    throw error;
  } finally {
    client.off('error', ignoreError);
    client.release(!isUsable);
  }
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
  await traceStatement(query, allSucceed(sent));
  return (await sent[1]).rows;
}

/** Prepares on a new connection what {@link runBound} sends before a statement; of itself it changes nothing. */
export async function prepareBinding(connection: Pick<PoolClient, 'query'>): Promise<void> {
  await connection.query(toQueryConfig(bindingStatement, ['none', '']));
}

/** The second of two results; node-postgres returns all of a message that has several. */
function secondOf<Row extends object>(results: QueryResult<Row> | readonly QueryResult<Row>[]): QueryResult<Row> {
  const second = 'rows' in results ? undefined : results[1];
  if (second === undefined) throw new Error('A statement that is bound to an institution has no result of its own');
  return second;
}

/**
 * Runs a statement alone that takes a role and sees one institution, in one round trip and one implicit transaction: the message that
 * ends it follows both. Call it within {@link onConnection}: nobody else may send on the connection.
 */
export async function runBound<Row extends object>(
  client: PoolClient,
  [role, institutionId]: readonly [role: string, institutionId: string],
  query: Statement | string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  // Without parameters it would be a message of the simple protocol, which does not end the transaction of the binding.
  const config = { ...toQueryConfig(query, values), queryMode: 'extended' };
  const { connection } = client;
  const sent = sendTogether(client, () => {
    connection.bind({ statement: bindingStatement.name, values: [role, institutionId] }, true);
    connection.execute({}, true);
    return client.query<Row>(config);
  });
  return secondOf<Row>(await traceStatement(query, sent)).rows;
}
