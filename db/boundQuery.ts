import { Query, type Connection, type PoolClient, type Submittable } from 'pg';
import { institutionSetting, type Binding } from './rowSecurity';
import { toQueryConfig, type Statement } from './statement';

/** Binds the transaction that it runs in. */
export const bind: Statement = {
  name: 'bind_to_institution',
  text: `SELECT set_config('role', $1, true), set_config('${institutionSetting}', $2, true)`,
};

/** What a connection of node-postgres knows of the statements that it has prepared, and of those it is about to. */
interface PreparedStatements {
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
}

function knowsStatements(connection: object): connection is PreparedStatements {
  return 'parsedStatements' in connection && 'submittedNamedStatements' in connection;
}

/** The messages of Postgres that a query of node-postgres handles. */
interface MessageHandlers extends Submittable {
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleEmptyQuery(connection: Connection): void;
  handlePortalSuspended(connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}

function handlesMessages(query: Submittable): query is MessageHandlers {
  return 'handleReadyForQuery' in query && typeof query.handleReadyForQuery === 'function';
}

/**
 * A statement behind the one that binds its transaction to an institution: both are sent at once, and before the message
 * that ends their common transaction, so the binding costs no round trip and ends with the statement.
 */
class BoundQuery implements Submittable {
  private binding = true;

  constructor(private readonly query: MessageHandlers, private readonly statement: Statement | undefined, private readonly as: Binding) {}

  /** node-postgres notes the statement of this name as prepared when Postgres says that one was. */
  get name(): string | undefined {
    return this.binding ? bind.name : this.statement?.name;
  }

  get text(): string | undefined {
    return this.binding ? bind.text : this.statement?.text;
  }

  readonly submit = (connection: Connection): void => {
    connection.stream.cork();
    try {
      if (!knowsStatements(connection) || connection.parsedStatements[bind.name] === undefined) connection.parse({ name: bind.name, text: bind.text, types: [] }, true);
      connection.bind({ statement: bind.name, values: [this.as.role, this.as.institutionId] }, true);
      connection.execute({}, true);
      this.query.submit(connection);
    } finally {
      connection.stream.uncork();
    }
  };

  handleRowDescription(message: unknown): void {
    this.query.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    if (!this.binding) this.query.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    if (!this.binding) this.query.handleCommandComplete(message, connection);
    this.binding = false;
  }

  handleEmptyQuery(connection: Connection): void {
    this.query.handleEmptyQuery(connection);
  }

  handlePortalSuspended(connection: Connection): void {
    this.query.handlePortalSuspended(connection);
  }

  handleReadyForQuery(connection: Connection): void {
    this.query.handleReadyForQuery(connection);
  }

  handleError(error: Error, connection: Connection): void {
    // The statement behind a binding that failed was sent, but Postgres has skipped it.
    if (this.binding && this.statement !== undefined && knowsStatements(connection)) Reflect.deleteProperty(connection.submittedNamedStatements, this.statement.name);
    this.query.handleError(error, connection);
  }
}

/** Runs one statement bound to an institution, in one round trip. */
export function runBound<Row extends object>(client: Pick<PoolClient, 'query'>, as: Binding, query: Statement | string, values: readonly unknown[] = []): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    // Without parameters it would be a message of the simple protocol, which would not end the transaction that the binding began.
    const config = { ...toQueryConfig(query, values), queryMode: 'extended' };
    const inner = new Query<Row>(config, (error, result) => {
      if (error) reject(error);
      else resolve(result.rows);
    });
    if (!handlesMessages(inner)) throw new Error('The queries of node-postgres have changed');
    client.query(new BoundQuery(inner, typeof query === 'string' ? undefined : query, as));
  });
}
