import { Client, escapeLiteral, type PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { bind, runBound } from './boundQuery';
import type { Database, InstitutionScope } from './database';
import { entityManager } from './entityManager';
import { isLockTimeout } from './lockTimeout';
import { claimKeyStatement, isStoredCall, type StoredCallRow } from './repositories/idempotency/idempotencyKeys';
import { asPlatform, bindToInstitution, type Binding } from './rowSecurity';
import { bindSql, type Sql, type Statement } from './statement';
import { isUniqueViolation } from './uniqueViolation';

/** An event as a transaction appends it: `data` is its serialised JSON, stored and sent byte for byte. */
export interface AppendedEvent {
  id: string;
  type: string;
  data: string;
}

/** An entry of the audit log; the database sets its time. */
export interface AuditedCall {
  id: string;
  actor_kind: string;
  actor_id: string;
  operation: string;
  method: string;
  path: string;
  target: Readonly<Record<string, string>>;
  changed: readonly string[];
  request_id: string;
}

/** The response of a call with an idempotency key, sealed. */
export interface StoredResponse {
  key: string;
  requestSha256: Buffer;
  responseSealed: string;
}

/** The scope of a transaction, and the rows that are inserted in the round trip of its COMMIT. */
export interface OpenTransaction extends InstitutionScope {
  /** The same transaction on the rows of another institution: of the sandbox, or of the one that a sandbox belongs to. */
  readonly scopeOf: (institutionId: string) => InstitutionScope;
  readonly events: AppendedEvent[];
  readonly outbox: object[];
  readonly auditedCalls: AuditedCall[];
  /** One at most: of the call that the transaction serves. */
  readonly storedResponses: StoredResponse[];
  /** What is stored under the idempotency key that the transaction has claimed; undefined if nothing is, or if it claims none. */
  readonly storedCall: StoredCallRow | undefined;
}

/** The idempotency key that a transaction claims as it begins. */
export interface KeyClaim {
  key: string;
  /** How long to wait for another transaction that has claimed it, in ms; asked when this one begins. */
  waitMs: () => number;
}

/** Another transaction held the claimed idempotency key for longer than this one was to wait. */
export class KeyClaimTimeout extends Error {
  override readonly name = 'KeyClaimTimeout';
}

const retryableSqlStates = new Set(['40001', '40P01']);
const maxAttempts = 4;

const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Whether the same work may succeed, or say why not, if it is run again: who lost the race for a `student_id` finds the winner. */
const mayRunAgain = (error: unknown): boolean => retryableSqlStates.has(sqlState(error) ?? '') || isUniqueViolation(error, 'users_unique_student_id');

function isPoolClient(connection: unknown): connection is PoolClient {
  return connection instanceof Client;
}

/** Appends a call to the audit log; with separate parameters, which is faster than one JSON text. */
function appendAuditStatement(institution: string, call: AuditedCall): string {
  const texts = [call.id, call.actor_kind, call.actor_id, call.operation, call.method, call.path, JSON.stringify(call.target), call.request_id];
  const changed = `ARRAY[${call.changed.map(escapeLiteral).join()}]::text[]`;
  return `SELECT append_audit(${[institution, ...texts.map(escapeLiteral), changed].join()})`;
}

/** Stores a response under its key, which the transaction has claimed: a row that is there has expired. */
function storeResponseStatement(institution: string, { key, requestSha256, responseSealed }: StoredResponse): string {
  const values = [institution, escapeLiteral(key), `decode('${requestSha256.toString('hex')}', 'hex')`, escapeLiteral(responseSealed), responseSealed.length].join();
  return `INSERT INTO idempotency_keys (institution_id, key, request_sha256, response_sealed, response_bytes) VALUES (${values})
    ON CONFLICT (institution_id, key) DO UPDATE SET request_sha256 = EXCLUDED.request_sha256, response_sealed = EXCLUDED.response_sealed,
      response_bytes = EXCLUDED.response_bytes, created_at = EXCLUDED.created_at`;
}

/**
 * Returns the statements that end a transaction, sent as one message: events get their timestamps from the institution's
 * clock, whose row is locked last and only during the commit.
 */
function commitStatements(institutionId: string, transaction: OpenTransaction): string {
  const institution = escapeLiteral(institutionId);
  const statements = [
    ...transaction.auditedCalls.map((call) => appendAuditStatement(institution, call)),
    ...transaction.storedResponses.map((stored) => storeResponseStatement(institution, stored)),
  ];
  if (transaction.outbox.length > 0) {
    statements.push(`SELECT owe_workflows(${institution}, ${escapeLiteral(JSON.stringify(transaction.outbox))})`);
  }
  if (transaction.events.length > 0) {
    statements.push(`SELECT append_events(${institution}, ${escapeLiteral(JSON.stringify(transaction.events))})`);
  }
  return [...statements, 'COMMIT'].join('; ');
}

/** Sends the closing message; for a failed transaction Postgres responds to COMMIT with ROLLBACK and without an error. */
async function commit(connection: PoolClient, statements: string): Promise<void> {
  const results: unknown = await connection.query(statements);
  const last: unknown = Array.isArray(results) ? results.at(-1) : results;
  const committed = typeof last === 'object' && last !== null && 'command' in last && last.command === 'COMMIT';
  if (!committed) throw new Error('The transaction had failed before it was to be committed');
}

/** Begins a transaction; in the same message claims an idempotency key and returns what is stored under it. A claim costs no round trip of its own. */
async function begin(connection: PoolClient, institutionId: string, tenantRole: string | null, claim: KeyClaim | undefined): Promise<StoredCallRow | undefined> {
  const beginning = tenantRole === null || institutionId === '' ? 'BEGIN' : `BEGIN; ${bindToInstitution(tenantRole, institutionId)}`;
  if (claim === undefined) {
    await connection.query(beginning);
    return undefined;
  }
  const waitMs = Math.max(1, Math.ceil(claim.waitMs()));
  const results: unknown = await connection.query(`${beginning}; ${claimKeyStatement(institutionId, claim.key, waitMs)}`).catch((error: unknown) => {
    throw isLockTimeout(error) ? new KeyClaimTimeout('Another transaction holds the idempotency key', { cause: error }) : error;
  });
  const claimed: unknown = Array.isArray(results) ? results.at(-1) : undefined;
  if (typeof claimed !== 'object' || claimed === null || !('rows' in claimed) || !Array.isArray(claimed.rows)) throw new Error('The claim of an idempotency key has no result');
  const row: unknown = claimed.rows[0];
  if (row !== undefined && !isStoredCall(row)) throw new Error('The claim of an idempotency key has an unknown row');
  return row;
}

/** What a transaction sees: its institution by default, another one or all of them for one statement at a time. */
function createScopes(connection: PoolClient, manager: EntityManager, ownId: string, tenantRole: string | null): Pick<OpenTransaction, keyof InstitutionScope | 'scopeOf'> {
  const sql = bindSql(connection);
  if (tenantRole === null || ownId === '') {
    const unbound = (institutionId: string): InstitutionScope => ({ institutionId, sql, platform: { sql }, [entityManager]: (work) => work(manager) });
    return { ...unbound(ownId), scopeOf: unbound };
  }
  const own = { role: tenantRole, institutionId: ownId };
  const bindTo = (as: Binding): Promise<unknown> => sql(bind, [as.role, as.institutionId]);
  const runAs = (as: Binding): Sql => async <Row extends object>(query: Statement | string, values?: readonly unknown[]) => {
    // Queued at once, so that no other statement of the transaction comes between. Only a failed transaction cannot be bound again.
    const [rows] = await Promise.all([runBound<Row>(connection, as, query, values), bindTo(own).catch(() => undefined)]);
    return rows;
  };
  const platform = { sql: runAs(asPlatform) };
  const scopeOf = (institutionId: string): InstitutionScope => {
    if (institutionId === ownId) return { institutionId, sql, platform, [entityManager]: (work) => work(manager) };
    const as = { role: tenantRole, institutionId };
    return {
      institutionId, sql: runAs(as), platform,
      [entityManager]: async (work) => {
        await bindTo(as);
        const done = await work(manager);
        await bindTo(own);
        return done;
      },
    };
  };
  return { ...scopeOf(ownId), scopeOf };
}

async function runOnce<Result>(
  database: Database,
  institutionId: string,
  work: (transaction: OpenTransaction) => Promise<Result>,
  claim: KeyClaim | undefined,
): Promise<{ result: Result; events: number; workflows: number }> {
  const runner = database.dataSource.createQueryRunner();
  try {
    const connection: unknown = await runner.connect();
    if (!isPoolClient(connection)) throw new Error('The query runner has no Postgres connection');
    // TypeORM's startTransaction is a message of its own; without a transaction its entity manager locks no row.
    Object.assign(runner, { isTransactionActive: true });
    try {
      const storedCall = await begin(connection, institutionId, database.tenantRole, claim);
      const transaction: OpenTransaction = {
        ...createScopes(connection, runner.manager, institutionId, database.tenantRole), events: [], outbox: [], auditedCalls: [], storedResponses: [], storedCall,
      };
      const result = await work(transaction);
      await commit(connection, commitStatements(institutionId, transaction));
      return { result, events: transaction.events.length, workflows: transaction.outbox.length };
    } catch (error) {
      // A broken connection cannot roll back; the server does it when the connection ends.
      await connection.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  } finally {
    await runner.release();
  }
}

/**
 * Runs `work` in one READ COMMITTED transaction of one institution and commits it with its events and outbox rows.
 * Runs it again after serialization failures, deadlocks (40001, 40P01) and races for a `student_id`, 4 times in all; any
 * other error rolls back and is rethrown. With `claim` it claims an idempotency key first; KeyClaimTimeout if that takes too long.
 */
export async function inTransaction<Result>(
  database: Database,
  institutionId: string,
  work: (transaction: OpenTransaction) => Promise<Result>,
  claim?: KeyClaim,
): Promise<{ result: Result; events: number; workflows: number }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // Transactions of one institution wait for each other's row locks: they must not use every connection.
      return await database.institutionSemaphore.run(institutionId, () => runOnce(database, institutionId, work, claim));
    } catch (error) {
      if (!mayRunAgain(error) || attempt === maxAttempts) throw error;
    }
  }
}
