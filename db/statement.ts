import { createHash } from 'node:crypto';
import { traceRequest } from '../lib/tracing';

/** One SQL statement with the name under which a connection prepares it once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Returns a statement with a name, so that each connection parses and plans it once. */
export function statement(name: string, text: string): Statement {
  return { name, text };
}

/**
 * Runs one statement and returns its rows. A plain string is parsed each time: for statements built from a list of
 * conditions. Values are passed as parameters, never in the text.
 */
export type Sql = <Row extends object>(query: Statement | string, values?: readonly unknown[]) => Promise<Row[]>;

interface Queryable {
  query<Row extends object>(config: { name?: string; text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
}

/** A statement as node-postgres takes it. */
export function toQueryConfig(query: Statement | string, values: readonly unknown[]): { name?: string; text: string; values: unknown[] } {
  return { ...(typeof query === 'string' ? { text: query } : { name: query.name, text: query.text }), values: [...values] };
}

const spanAttributes = { 'db.system': 'postgresql' };

/** Returns the result of a statement that has been sent, which a trace shows by its name or its first word: the text of one without a name may have values. */
export function traceStatement<Result>(query: Statement | string, result: Promise<Result>): Promise<Result> {
  return traceRequest(() => `sql ${typeof query === 'string' ? (/\w+/.exec(query)?.[0] ?? '') : query.name}`, spanAttributes, result);
}

/** Binds {@link Sql} to a pool or to the connection of a transaction. */
export function bindSql(connection: Queryable): Sql {
  return async <Row extends object>(query: Statement | string, values: readonly unknown[] = []) => {
    const { rows } = await traceStatement(query, connection.query<Row>(toQueryConfig(query, values)));
    return rows;
  };
}

/** The name of a statement by its text. Texts are constants of the program, so their number is limited. */
// eslint-disable-next-line no-restricted-syntax -- what is kept follows from its key alone
const statementsByText = new Map<string, Statement>();

function toStatement(query: Statement | string): Statement {
  if (typeof query !== 'string') return query;
  const known = statementsByText.get(query) ?? statement(`text_${createHash('sha256').update(query).digest('hex').slice(0, 40)}`, query);
  statementsByText.set(query, known);
  return known;
}

/** Returns {@link Sql} whose connections prepare every statement once, including those without a name; only for constant texts. */
export function bindPreparedSql(connection: Queryable): Sql {
  const sql = bindSql(connection);
  return (query, values) => sql(toStatement(query), values);
}
