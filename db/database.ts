import 'reflect-metadata';
import { Pool, type PoolClient } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { entities } from './entities';
import { entityManager, type RunWithManager } from './entityManager';
import { migrations } from './migrations';
import { beginSoon, connectionOf, onConnection, prepareBinding, runBound } from './pipeline';
import { keepAliveOptions, requireResponses } from './responseTimeout';
import { bindToInstitution, findTenantRole } from './rowSecurity';
import { serviceSettings, startupOptions, type SessionSettings, type SettingsSource } from './sessionSettings';
import { bindSql, type Sql } from './statement';
import { createKeyedSemaphore, type KeyedSemaphore } from '../lib/keyedSemaphore';

/** The open database: TypeORM's data source, and the same pool for prepared statements. */
export interface Database {
  readonly dataSource: DataSource;
  readonly manager: EntityManager;
  readonly pool: Pool;
  /** Runs a statement as the platform, which sees the rows of all institutions. */
  readonly sql: Sql;
  /** The role that statements of one institution run as; null if the service owns its tables, which no policy binds. */
  readonly tenantRole: string | null;
  /** Limits the connections that one institution's transactions hold at a time. */
  readonly institutionSemaphore: KeyedSemaphore;
  /** The same for reads outside transactions, which need not wait behind transactions that wait for locks. */
  readonly readSemaphore: KeyedSemaphore;
  /** Limits the connections that the reads of all institutions hold: the others authenticate callers. */
  readonly allReadsSemaphore: KeyedSemaphore;
  /** Limits those that one person's sessions hold, within the limit of the institution. */
  readonly personSemaphore: KeyedSemaphore;
  /** Runs the calls of this process with one idempotency key one at a time; a waiting call has no connection. */
  readonly idempotencySemaphore: KeyedSemaphore;
  /** Where reads may come from that name it (`reads: 'replica'`), and exports; absent without one. */
  readonly replica?: Replica;
  close(): Promise<void>;
}

/** What became of a read that may come from the replica: it did, or the primary answered, because the replica was behind or did not respond. */
export type ReplicaOutcome = 'replica' | 'behind' | 'unreachable';

/** A streaming replica for reads that need neither locks nor the newest row of another call. */
export interface Replica {
  /** Returns the replica once it has all that was committed before this call, else the primary: the replica is behind by more than the bound, or does not respond. */
  forReads(): Promise<Database>;
  /** Reports a read that the replica broke off; the primary answers for a second. */
  fail(error: unknown): void;
  close(): Promise<void>;
}

/** What repositories take: one institution's rows, through the pool or inside a transaction. */
export interface InstitutionScope {
  readonly institutionId: string;
  readonly sql: Sql;
  /** Runs a statement as the platform, beyond the institution: for what a statement must see of others. */
  readonly platform: { readonly sql: Sql };
  readonly [entityManager]: RunWithManager;
}

/** How long a transaction waits for a connection within its institution's limit, in ms. */
const acquireTimeoutMs = 10_000;

/** Maximum number of calls that wait for another with their idempotency key; further ones fail immediately. */
const maxWaitingForOneKey = 100;

/** A call waited too long in this process for another with its idempotency key. */
export class IdempotencySlotTimeout extends Error {
  override readonly name = 'IdempotencySlotTimeout';
}

/** Called when an idle connection breaks; the pool opens another on demand. */
type ConnectionLost = (error: Error) => void;

interface ConnectionOptions {
  /** Without them connections have those of their role. */
  settings?: SessionSettings | undefined;
  /** Whether connections end on which Postgres says nothing for long; not if statements may take as long as they take. */
  requiresResponses: boolean;
}

/** Returns the data source for processes and migrations; `poolSize` limits its connections. */
export function createDataSource(url: string, poolSize: number, onConnectionLost: ConnectionLost, { settings, requiresResponses }: ConnectionOptions): DataSource {
  const onConnect = async (client: PoolClient): Promise<void> => {
    if (requiresResponses) requireResponses(client);
    await prepareBinding(client);
  };
  return new DataSource({
    type: 'postgres',
    url,
    entities,
    migrations,
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    poolSize,
    connectTimeoutMS: 5_000,
    installExtensions: false,
    poolErrorHandler: onConnectionLost,
    extra: { ...(settings === undefined ? {} : { options: startupOptions(settings) }), idleTimeoutMillis: 30_000, ...keepAliveOptions, pipeline: true, onConnect },
  });
}

/** Fails unless the sessions of this pool have the service's settings from their role. */
async function requireRoleSettings(pool: Pool): Promise<void> {
  const names = Object.keys(serviceSettings);
  const { rows } = await pool.query<{ name: string; setting: string }>('SELECT name, setting FROM pg_settings WHERE name = ANY ($1)', [names]);
  const found = new Map(rows.map(({ name, setting }) => [name, setting]));
  const missing = Object.entries(serviceSettings).filter(([name, value]) => found.get(name) !== value).map(([name, value]) => `${name} = ${value}`);
  if (missing.length > 0) {
    throw new Error(`The role of DATABASE_URL must have ${missing.join(', ')}, as DATABASE_DIRECT_URL is set: the migration sets them where MIGRATION_DATABASE_URL names another role`);
  }
}

/** Connects; fails if Postgres cannot be reached within 5 s, or if its role has not the settings that are to come from it. */
export async function openDatabase(url: string, poolSize: number, onConnectionLost: ConnectionLost, source: SettingsSource = 'connection'): Promise<Database> {
  const dataSource = await createDataSource(url, poolSize, onConnectionLost, { settings: source === 'connection' ? serviceSettings : undefined, requiresResponses: true }).initialize();
  const { driver } = dataSource;
  if (!(driver instanceof PostgresDriver)) throw new Error('The data source is not a Postgres one');
  const pool: unknown = driver.master;
  if (!(pool instanceof Pool)) throw new Error('The data source has no pool');
  if (source === 'role') {
    await requireRoleSettings(pool).catch(async (error: unknown) => {
      await dataSource.destroy();
      throw error;
    });
  }
  const sql = bindSql(pool);
  const tenantRole = await findTenantRole(sql);
  const connectionsPerInstitution = Math.max(2, Math.floor(poolSize / 4));
  return {
    dataSource,
    manager: dataSource.manager,
    pool,
    sql,
    tenantRole,
    institutionSemaphore: createKeyedSemaphore(connectionsPerInstitution, acquireTimeoutMs),
    readSemaphore: createKeyedSemaphore(connectionsPerInstitution, acquireTimeoutMs),
    allReadsSemaphore: createKeyedSemaphore(Math.max(1, poolSize - connectionsPerInstitution), acquireTimeoutMs),
    personSemaphore: createKeyedSemaphore(Math.floor(connectionsPerInstitution / 2), acquireTimeoutMs),
    idempotencySemaphore: createKeyedSemaphore(1, acquireTimeoutMs, () => new IdempotencySlotTimeout('The first call with this key is still under way'), maxWaitingForOneKey),
    close: () => dataSource.destroy(),
  };
}

/** The one key of the semaphore of all reads. */
const allReads = 'reads';

/** Binds the statements that a pool runs to an institution, each in a transaction of its own. */
function bindPool(pool: Pool, tenantRole: string, institutionId: string): { sql: Sql } {
  const as = [tenantRole, institutionId] as const;
  return { sql: (query, values) => onConnection(pool, (client) => runBound(client, as, query, values)) };
}

/** Reads entities bound to an institution: TypeORM sends messages of its own, so these reads have a transaction. */
function readWithManager({ dataSource, tenantRole }: Database, institutionId: string): RunWithManager {
  if (tenantRole === null || institutionId === '') return (work) => work(dataSource.manager);
  return async (work) => {
    const runner = dataSource.createQueryRunner();
    try {
      const connection = await connectionOf(runner);
      const begun = beginSoon(connection, `BEGIN READ ONLY; ${bindToInstitution(tenantRole, institutionId)}`);
      try {
        return await work(runner.manager);
      } catch (error) {
        await begun;
        throw error;
      } finally {
        await connection.query('ROLLBACK').catch(() => undefined);
      }
    } finally {
      await runner.release();
    }
  };
}

/** One institution's view of the database outside a transaction; its statements share the institution's connections for reads. */
export function institutionScope(database: Database, institutionId: string): InstitutionScope {
  const { readSemaphore, allReadsSemaphore, pool, tenantRole } = database;
  const withManager = readWithManager(database, institutionId);
  if (institutionId === '') return { institutionId, sql: database.sql, platform: database, [entityManager]: withManager };
  const limited = <Result>(work: () => Promise<Result>): Promise<Result> => readSemaphore.run(institutionId, () => allReadsSemaphore.run(allReads, work));
  const limit = ({ sql }: { sql: Sql }): { sql: Sql } => ({ sql: (query, values) => limited(() => sql(query, values)) });
  const bound = tenantRole === null ? database : bindPool(pool, tenantRole, institutionId);
  return { institutionId, ...limit(bound), platform: limit(database), [entityManager]: (work) => limited(() => withManager(work)) };
}
