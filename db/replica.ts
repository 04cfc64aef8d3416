import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { institutionScope, openDatabase, type Database, type InstitutionScope, type Replica, type ReplicaOutcome } from './database';
import { settingsSource } from './sessionSettings';
import type { Sql } from './statement';
import { AcquireTimeout } from '../lib/keyedSemaphore';

interface ReplicaOptions {
  /** Opens the replica's pool; called again after it failed. */
  open: () => Promise<Database>;
  /** How long a call waits for the replica, in ms. */
  maxWaitMs: number;
  onOutcome: (outcome: ReplicaOutcome, error?: unknown) => void;
}

/** What the settings say of the replica. */
interface ReplicaSettings {
  databaseReplicaUrl: string | null;
  databaseReplicaMaxWaitMs: number;
  databasePoolSize: number;
  databaseDirectUrl: string | null;
}

interface ReplicaLog {
  warn(about: { err: unknown; outcome: ReplicaOutcome }, message: string): void;
}

/** After a failure calls do not wait for the replica for this long, in ms. */
const avoidedForMs = 1_000;
const pollMs = 5;

const committed = 'SELECT pg_current_wal_flush_lsn()::text AS lsn';
// A replica that was promoted has stopped to follow.
const replayed = 'SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::pg_lsn AS replayed';

/** Returns the primary, with the replica of the settings, if they name one. */
export function openReplica(primary: Database, settings: ReplicaSettings, logger: ReplicaLog, observe: (outcome: ReplicaOutcome) => void, onConnectionLost: (error: Error) => void): Database {
  const { databaseReplicaUrl: url, databaseReplicaMaxWaitMs: maxWaitMs, databasePoolSize } = settings;
  if (url === null) return primary;
  return withReplica(primary, {
    // The replica may not have the policies of the last migration yet: what binds statements is known from the primary.
    open: async () => ({ ...(await openDatabase(url, databasePoolSize, onConnectionLost, settingsSource(settings))), tenantRole: primary.tenantRole }),
    maxWaitMs,
    onOutcome: (outcome, error) => {
      observe(outcome);
      if (outcome !== 'replica') logger.warn({ err: error, outcome }, 'the replica does not answer, the primary does');
    },
  });
}

/** Returns the database with a replica, which is opened with the first read. */
function withReplica(primary: Database, { open, maxWaitMs, onOutcome }: ReplicaOptions): Database {
  let opening: Promise<Database> | undefined;
  let avoidedUntil = 0;
  const opened = (): Promise<Database> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const avoid = (outcome: ReplicaOutcome, error?: unknown): Database => {
    avoidedUntil = Date.now() + avoidedForMs;
    onOutcome(outcome, error);
    return primary;
  };
  const upToDate = async (signal: AbortSignal): Promise<Database | undefined> => {
    const [now] = await primary.sql<{ lsn: string }>(committed);
    const replica = await opened();
    for (;;) {
      const [row] = await replica.sql<{ replayed: boolean | null }>(replayed, [now?.lsn]);
      if (row?.replayed === true) return replica;
      if (signal.aborted) return undefined;
      await sleep(pollMs);
    }
  };
  const replica: Replica = {
    forReads: async () => {
      if (Date.now() < avoidedUntil) return primary;
      const waited = new AbortController();
      const found = upToDate(waited.signal).catch((error: unknown) => ({ error }));
      const outcome = await Promise.race([found, sleep(maxWaitMs, undefined, { signal: waited.signal }).catch(() => undefined)]);
      waited.abort();
      if (outcome === undefined) return avoid('behind');
      if ('error' in outcome) return avoid('unreachable', outcome.error);
      onOutcome('replica');
      return outcome;
    },
    fail: (error) => {
      avoid('unreachable', error);
    },
    close: async () => {
      await opening?.then((database) => database.close()).catch(() => undefined);
    },
  };
  return {
    ...primary,
    replica,
    close: async () => {
      await Promise.all([replica.close(), primary.close()]);
    },
  };
}

/** SQLSTATEs of statements that fail or take too long on any server: what they compute (22…), their timeout (57014). */
const statementStates = /^(22...|57014)$/;

/** Whether a statement itself failed, or waited too long for those of its institution: the replica answers, and the primary would do no better. */
const isOfStatement = (error: unknown): boolean => error instanceof AcquireTimeout || (error instanceof DatabaseError && statementStates.test(error.code ?? ''));

/** One institution's view of the replica, where there is one: it has what was committed before the first statement. What the replica breaks off is read again from the primary. */
export function replicaScope(database: Database, institutionId: string): InstitutionScope {
  const onPrimary = institutionScope(database, institutionId);
  const { replica } = database;
  if (replica === undefined) return onPrimary;
  let chosen: Promise<Database> | undefined;
  const sql: Sql = async <Row extends object>(query: Parameters<Sql>[0], values?: readonly unknown[]) => {
    const readFrom = (scope: Pick<InstitutionScope, 'sql'>): Promise<Row[]> => scope.sql<Row>(query, values);
    chosen ??= replica.forReads();
    const from = await chosen;
    if (from.pool === database.pool) return readFrom(onPrimary);
    try {
      return await readFrom(institutionScope(from, institutionId));
    } catch (error) {
      if (isOfStatement(error)) throw error;
      replica.fail(error);
      chosen = Promise.resolve(database);
      return readFrom(onPrimary);
    }
  };
  return { ...onPrimary, sql };
}

/** The database that an export reads: the replica once it has what was committed before this call, else the primary. */
export const databaseForReads = async (database: Database): Promise<Database> => (await database.replica?.forReads()) ?? database;
