import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Database, InstitutionScope } from './database';
import { CommitOutcomeUnknown } from './connectionLoss';
import { entityManager, type RunWithManager } from './entityManager';
import { isLockTimeout } from './lockTimeout';
import { allSucceed, beginSoon, connectionOf, isOfOpenConnection, runBetween, sendTogether } from './pipeline';
import { claimKeyStatement, isStoredCall, type StoredCallRow } from './repositories/idempotency/idempotencyKeys';
import { beginBound, seeInstitution, takeRole } from './rowSecurity';
import { bindSql, statement, type Sql, type Statement } from './statement';
import { currentTraceparent, inSpan } from '../lib/tracing';
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

/** In the place of an institution, for a transaction that writes rows of all of them; it has neither events nor a workflow outbox. */
export const noInstitution = '';

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

const appendAudit = 'append_audit($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10::text[])';

/** What a usual call appends, prepared: the entry of the audit log, its events, or both. */
const appendCall = statement('append_audit', `SELECT ${appendAudit}`);
const appendEvents = statement('append_events', 'SELECT append_events($1, $2::json)');
const appendCallAndEvents = statement('append_audit_and_events', `SELECT ${appendAudit}, append_events($1, $11::json)`);

/** A statement that ends a transaction, with its parameters. */
type Closing = readonly [statement: Statement, values: readonly unknown[]];

const auditValues = (call: AuditedCall): unknown[] => [
  call.id, call.actor_kind, call.actor_id, call.operation, call.method, call.path, JSON.stringify(call.target), call.request_id, call.changed,
];

/** Stores a response under its key, which the transaction has claimed: a row that is there has expired. */
const storeResponse = statement(
  'store_response',
  `INSERT INTO idempotency_keys (institution_id, key, request_sha256, response_sealed, response_bytes) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (institution_id, key) DO UPDATE SET request_sha256 = EXCLUDED.request_sha256, response_sealed = EXCLUDED.response_sealed,
      response_bytes = EXCLUDED.response_bytes, created_at = EXCLUDED.created_at`,
);
const appendToOutbox = statement('owe_workflows', 'SELECT owe_workflows($1, $2::json)');

/** Returns the JSON of rows, each with the trace in progress, which goes on with what they cause. */
function serializeTraced(rows: readonly object[]): string {
  const trace = currentTraceparent();
  return JSON.stringify(trace === undefined ? rows : rows.map((row) => ({ ...row, trace })));
}

/**
 * Returns the statements that end a transaction: events get their timestamps from the institution's clock, whose row is
 * locked last and only during the commit.
 */
function closingStatements(institutionId: string, { auditedCalls, storedResponses, outbox, events }: OpenTransaction): Closing[] {
  const closing: Closing[] = storedResponses.map(({ key, requestSha256, responseSealed }) => [storeResponse, [institutionId, key, requestSha256, responseSealed, responseSealed.length]]);
  if (outbox.length > 0) closing.push([appendToOutbox, [institutionId, serializeTraced(outbox)]]);
  const calls = auditedCalls.map((call): unknown[] => [institutionId, ...auditValues(call)]);
  if (events.length === 0) return [...closing, ...calls.map((values): Closing => [appendCall, values])];
  const last = calls.pop();
  closing.push(...calls.map((values): Closing => [appendCall, values]));
  const appended = serializeTraced(events);
  return [...closing, last === undefined ? [appendEvents, [institutionId, appended]] : [appendCallAndEvents, [...last, appended]]];
}

/**
 * Sends the closing statements and COMMIT as one message, without waiting between them: after one that fails Postgres
 * responds to COMMIT with ROLLBACK and without an error. CommitOutcomeUnknown unless Postgres has said what became of it.
 */
async function commit(connection: PoolClient, closing: readonly Closing[]): Promise<void> {
  const [committed, ...sent] = sendTogether(connection, () => {
    const appended = closing.map(([{ name, text }, values]) => connection.query({ name, text, values: [...values] }));
    return [connection.query('COMMIT'), ...appended] as const;
  });
  await allSucceed([...sent, committed]).catch((error: unknown) => {
    throw isOfOpenConnection(error) ? error : new CommitOutcomeUnknown('The connection was lost in the COMMIT', { cause: error });
  });
  if ((await committed).command !== 'COMMIT') throw new Error('The transaction had failed before it was to be committed');
}

/** Begins a transaction; in the same message claims an idempotency key, and returns what is stored under it: a claim costs no round trip of its own. */
async function beginWithClaim(connection: PoolClient, beginning: string, institutionId: string, claim: KeyClaim): Promise<StoredCallRow | undefined> {
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
  const withManager: RunWithManager = (work) => work(manager);
  if (tenantRole === null || ownId === '') {
    const unbound = (institutionId: string): InstitutionScope => ({ institutionId, sql, platform: { sql }, [entityManager]: withManager });
    return { ...unbound(ownId), scopeOf: unbound };
  }
  const between = (before: string, after: string): Sql => (query, values) => runBetween(connection, [before, after], query, values);
  const platform = { sql: between(takeRole(null), takeRole(tenantRole)) };
  // Where one is refused, so is every later statement of the transaction.
  const sendSoon = (text: string): void => {
    connection.query(text).catch(() => undefined);
  };
  const scopeOf = (institutionId: string): InstitutionScope => {
    if (institutionId === ownId) return { institutionId, sql, platform, [entityManager]: withManager };
    const [seeOther, seeOwn] = [seeInstitution(institutionId), seeInstitution(ownId)];
    return {
      institutionId, sql: between(seeOther, seeOwn), platform,
      [entityManager]: (work) => {
        sendSoon(seeOther);
        return work(manager).finally(() => sendSoon(seeOwn));
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
    const connection = await connectionOf(runner);
    // TypeORM's startTransaction is a message of its own; without a transaction its entity manager locks no row.
    Object.assign(runner, { isTransactionActive: true });
    const beginning = beginBound(database.tenantRole, institutionId);
    const begun = claim === undefined ? beginSoon(connection, beginning) : undefined;
    try {
      const storedCall = claim === undefined ? undefined : await beginWithClaim(connection, beginning, institutionId, claim);
      const transaction: OpenTransaction = {
        ...createScopes(connection, runner.manager, institutionId, database.tenantRole), events: [], outbox: [], auditedCalls: [], storedResponses: [], storedCall,
      };
      const result = await work(transaction);
      await commit(connection, closingStatements(institutionId, transaction));
      return { result, events: transaction.events.length, workflows: transaction.outbox.length };
    } catch (error) {
      // A broken connection cannot roll back; the server does it when the connection ends.
      await connection.query('ROLLBACK').catch(() => undefined);
      await begun;
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
      return await database.institutionSemaphore.run(institutionId, () => inSpan('transaction', () => runOnce(database, institutionId, work, claim)));
    } catch (error) {
      if (!mayRunAgain(error) || attempt === maxAttempts) throw error;
    }
  }
}
