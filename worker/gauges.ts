import { Gauge, type Registry } from 'prom-client';
import type { Logger } from '../config/logger';
import type { InstitutionWork } from '../db/repositories/metrics/busiestInstitutions';
import type { DatabaseUse } from '../db/repositories/metrics/databaseUse';
import type { WaitingWork } from '../db/repositories/metrics/gauges';

/** Minimum interval between two reads of the gauges from Postgres, regardless of the number of scrapes, in ms. */
export const gaugesEveryMs = 5_000;

const waitingGauges: readonly { name: string; help: string; value: keyof WaitingWork }[] = [
  { name: 'webhook_event_queue_age_seconds', help: 'Age of the oldest event that is not fanned out; 0 without one.', value: 'eventQueueAge' },
  { name: 'webhook_event_queue_events', help: 'Events that are not fanned out, counted up to 100,000.', value: 'eventQueueEvents' },
  { name: 'webhook_pending_age_seconds', help: 'Age of the event of the oldest pending delivery that may be sent, to an endpoint without a rate limit; 0 without one.', value: 'pendingAge' },
  { name: 'webhook_rate_limited_age_seconds', help: 'Age of the event of the oldest pending delivery that waits for the rate limit of its endpoint; 0 without one.', value: 'limitedAge' },
  { name: 'webhook_rate_limited_deliveries', help: 'Pending deliveries that wait for the rate limits of their endpoints, counted up to 100,000.', value: 'limitedDeliveries' },
  { name: 'webhook_circuits_open', help: 'Endpoints whose circuit is open.', value: 'openCircuits' },
  { name: 'webhook_held_deliveries', help: 'Deliveries that are held, counted up to 100,000.', value: 'heldDeliveries' },
  { name: 'workflow_outbox_age_seconds', help: 'Age of the oldest start or signal not yet sent to Temporal; 0 without one.', value: 'outboxAge' },
  { name: 'workflow_outbox_rows', help: 'Starts and signals not yet sent to Temporal, counted up to 100,000.', value: 'outboxRows' },
  { name: 'sign_in_emails_age_seconds', help: 'Age of the oldest email with a sign-in code that is not sent; 0 without one.', value: 'signInEmailAge' },
  { name: 'row_counts_corrected', help: 'Rows by which the counts of people, licenses and submissions were wrong so far, of all institutions; 0 unless something was wrong.', value: 'countsCorrected' },
  { name: 'rows_without_partition', help: 'Rows of partitioned tables that no partition was made for, counted up to 1,000 of each table.', value: 'rowsWithoutPartition' },
  { name: 'partition_periods_ahead', help: 'Periods (days for events) for which partitions are there from now on, of the table with the fewest; 3 to 4 after each daily pass.', value: 'partitionsAhead' },
  { name: 'row_fill_idle_seconds', help: 'Time since the last progress of a fill of rows after an upgrade; 0 if none is open.', value: 'fillIdle' },
];

const databaseGauges: readonly { name: string; help: string; value: keyof DatabaseUse }[] = [
  { name: 'postgres_database_bytes', help: 'Size of the database on disk, tables and indexes.', value: 'bytes' },
  { name: 'postgres_connections', help: 'Connections to Postgres, of everybody.', value: 'connections' },
  { name: 'postgres_max_connections', help: 'Connections that Postgres accepts from roles that are no superusers.', value: 'maxConnections' },
  { name: 'postgres_wal_bytes', help: 'Bytes of WAL that Postgres has ever written.', value: 'walBytes' },
  { name: 'postgres_response_seconds', help: 'How long Postgres took to answer a statement that reads nothing.', value: 'responseSeconds' },
  { name: 'postgres_transaction_id_age', help: 'Transactions since the oldest id that is not frozen; Postgres refuses writes near 2,000,000,000.', value: 'transactionIdAge' },
];

/** How often the use of the database is read at most, in ms: its size is a look at each of its files. */
const databaseEveryMs = 60_000;

/** What is read of Postgres on scrape. */
interface GaugeSource<T> {
  read: (now: Date) => Promise<T>;
  /** For the log. */
  what: string;
  /** Minimum interval between two reads, in ms. */
  everyMs: number;
}

interface ReadGauges<T> extends GaugeSource<T> {
  gauges: readonly { name: string; help: string; value: keyof T & string }[];
}

/** Returns a function that returns the latest read, at most one for each interval: undefined if it failed, which is logged once, and tried again soon. */
function createCachedRead<T>({ read, what, everyMs }: GaugeSource<T>, logger: Logger): () => Promise<T | undefined> {
  let lastRead: { atMs: number; values: Promise<T | undefined> } | undefined;
  let stale = false;

  const tryRead = async (): Promise<T | undefined> => {
    try {
      const values = await read(new Date());
      if (stale) logger.warn(`the gauges of ${what} are read again`);
      stale = false;
      return values;
    } catch (error) {
      if (!stale) logger.warn({ err: error }, `the gauges of ${what} cannot be read`);
      stale = true;
      return undefined;
    }
  };
  return () => {
    const atMs = performance.now();
    const intervalMs = stale ? Math.min(everyMs, gaugesEveryMs) : everyMs;
    if (lastRead === undefined || atMs - lastRead.atMs >= intervalMs) lastRead = { atMs, values: tryRead() };
    return lastRead.values;
  };
}

/** Adds gauges that are read together on scrape, and are absent while they cannot be read. Returns the latest read: undefined if it failed. */
function addReadGauges<T extends Record<keyof T, number>>(registry: Registry, { gauges, ...source }: ReadGauges<T>, logger: Logger): () => Promise<T | undefined> {
  const latest = createCachedRead(source, logger);
  for (const { name, help, value } of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const values = await latest();
        // eslint-disable-next-line no-restricted-syntax -- removes a sample of a metric, unrelated to TypeORM
        if (values === undefined) this.remove();
        else this.set(values[value]);
      },
    });
  }
  return latest;
}

/**
 * Adds gauges of waiting work to the registry, read on scrape. While Postgres does not respond, these gauges are absent and
 * `webhook_gauges_stale` is 1; the scrape itself succeeds. Reads at most once per `everyMs`.
 */
export function addWaitingGauges(registry: Registry, read: (now: Date) => Promise<WaitingWork>, logger: Logger, everyMs = gaugesEveryMs): void {
  const latest = addReadGauges(registry, { gauges: waitingGauges, read, what: 'waiting work', everyMs }, logger);
  new Gauge({
    name: 'webhook_gauges_stale',
    help: '1 while the gauges from Postgres cannot be read.',
    registers: [registry],
    async collect() {
      this.set((await latest()) === undefined ? 1 : 0);
    },
  });
}

/** Adds gauges of how much of Postgres is used, read on scrape, at most once a minute, and absent while Postgres does not respond. */
export function addDatabaseGauges(registry: Registry, read: () => Promise<DatabaseUse>, logger: Logger): void {
  addReadGauges(registry, { gauges: databaseGauges, read, what: 'the database', everyMs: databaseEveryMs }, logger);
}

/** Adds gauges of what waits for the institutions with most waiting work, by their ids; read on scrape, at most once a minute, and absent while Postgres does not respond. */
export function addInstitutionGauges(registry: Registry, read: () => Promise<InstitutionWork[]>, logger: Logger, everyMs = databaseEveryMs): void {
  const latest = createCachedRead({ read, what: 'institutions', everyMs }, logger);
  const gauges: readonly { name: string; help: string; value: 'deliveries' | 'events' }[] = [
    { name: 'institution_waiting_deliveries', help: 'Deliveries that have not ended, of the ten institutions with most waiting work.', value: 'deliveries' },
    { name: 'institution_waiting_events', help: 'Events that are not fanned out, of the ten institutions with most waiting work.', value: 'events' },
  ];
  for (const { name, help, value } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: ['institution_id'],
      registers: [registry],
      async collect() {
        const institutions = (await latest()) ?? [];
        this.reset();
        for (const each of institutions) this.set({ institution_id: each.institutionId }, each[value]);
      },
    });
  }
}
