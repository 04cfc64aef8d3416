import { setTimeout as pause } from 'node:timers/promises';
import { dropPartition, makePartition, noteExpiredEvents } from '../db/repositories/retention/partitions';
import type { Sql } from '../db/statement';
import { startOfIds } from '../domain/ids';
import { withConnection } from '../local/programs/postgres';
import { requestBenchData } from './benchClient';
import type { BenchEnvironment } from './environment';
import { inRanges } from './growth/fill';
import { insertEvents } from './growth/history';
import type { BenchInstitution } from './institutions';
import { quantile, rounded } from './statistics';

const dayMs = 86_400_000;
/** How long ago the day is that is dropped. */
const daysAgo = 40;
const quietMs = 5_000;
/** Every session reads the catalogue again after a drop; these calls count as well. */
const afterMs = 500;
const bounds = { dropMs: 200, slowerMs: 50 };

function readEventCount(environment: NodeJS.ProcessEnv = process.env): number {
  const count = Number(environment.BENCH_PARTITION_EVENTS ?? 10_000_000);
  if (!Number.isInteger(count) || count < 1 || count > dayMs) throw new Error('BENCH_PARTITION_EVENTS must be a whole number above 0, and at most one a millisecond of a day');
  return count;
}

/** Makes the partition of a day long ago, with that many events, and those of the next days. */
async function fillDay({ stores, database }: BenchEnvironment, { id: institutionId }: BenchInstitution, count: number): Promise<{ bytes: number }> {
  const midnight = Math.floor(Date.now() / dayMs) * dayMs - daysAgo * dayMs;
  const times = { from: new Date(midnight), stepMs: Math.floor((dayMs - 1) / count) };
  const bound = (ms: number): string => `'${startOfIds('evt', new Date(ms))}'`;
  return withConnection(stores.ownerDatabaseUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    // The partition from before the migration reaches from the first id to tomorrow.
    await client.query('DELETE FROM event_queue');
    await client.query('DROP TABLE partitions.events_before');
    await client.query(`CREATE TABLE partitions.events_bench PARTITION OF events FOR VALUES FROM (${bound(midnight)}) TO (${bound(midnight + dayMs)})`);
    while (await makePartition(database.sql, 'events'));
    await inRanges('events', count, (first, last) => insertEvents(client, { institutionId, students: 1_000 }, times, first, last));
    await client.query('VACUUM (ANALYZE) partitions.events_bench');
    await client.query('CHECKPOINT');
    const { rows: [size] } = await client.query<{ bytes: number }>("SELECT pg_total_relation_size('partitions.events_bench')::float8 AS bytes");
    return { bytes: size?.bytes ?? 0 };
  });
}

interface Timed {
  name: string;
  from: number;
  until: number;
}

/** Calls one after the other in each of several lines, until it is stopped; `failed` are those that were answered with an error. */
function startCalls({ apiUrl }: BenchEnvironment, { keys: [token] }: BenchInstitution): { timed: Timed[]; failed: string[]; stop(): Promise<void> } {
  const timed: Timed[] = [];
  const failed: string[] = [];
  let stopped = false;
  const since = (): string => new Date(Date.now() - 60_000).toISOString();
  const calls: Record<string, () => Promise<unknown>> = {
    'POST /students': () => requestBenchData({ method: 'POST', url: `${apiUrl}/students`, token, body: { full_name: 'Ada Bench' } }),
    'GET /events': () => requestBenchData({ method: 'GET', url: `${apiUrl}/events?since=${since()}&limit=50`, token }),
    'GET /webhooks/deliveries': () => requestBenchData({ method: 'GET', url: `${apiUrl}/webhooks/deliveries?limit=50`, token }),
  };
  const lines = Object.entries(calls).map(async ([name, call]) => {
    while (!stopped) {
      const from = performance.now();
      await call().catch((error: unknown) => failed.push(`${name}: ${String(error)}`));
      timed.push({ name, from, until: performance.now() });
      await pause(5);
    }
  });
  return {
    timed,
    failed,
    async stop() {
      stopped = true;
      await Promise.all(lines);
    },
  };
}

const took = ({ from, until }: Timed): number => until - from;
const slowestOf = (calls: readonly Timed[]): Timed => calls.reduce((slowest, call) => (took(call) > took(slowest) ? call : slowest), { name: 'none', from: 0, until: 0 });

/** Returns when others no longer see the partition: its drop is committed, and its locks are free. */
async function waitUntilGone(sql: Sql): Promise<number> {
  const giveUpAt = performance.now() + 60_000;
  while ((await sql("SELECT 1 FROM pg_class WHERE relname = 'events_bench'")).length > 0) {
    if (performance.now() > giveUpAt) throw new Error('The partition is still there after a minute');
    await pause(2);
  }
  return performance.now();
}

/** Drops a day of events while others write, poll and list. */
export async function* benchPartitions(environment: BenchEnvironment): AsyncGenerator<object> {
  const count = readEventCount();
  const institution = await environment.institution('partitions');
  const { bytes } = await fillDay(environment, institution, count);
  const { sql } = environment.database;
  const api = await environment.startApi();
  const worker = await environment.startWorker();
  const calls = startCalls(environment, institution);
  await pause(2 * quietMs);

  const noteFrom = performance.now();
  for (let last: string | null = ''; last !== null; ) last = await noteExpiredEvents(sql, 'events_bench', last);
  const dropFrom = performance.now();
  const gone = waitUntilGone(sql);
  const dropped = await dropPartition(sql, { table: 'events', part: 'events_bench' });
  const dropUntil = performance.now();
  const goneAt = await gone;
  await pause(afterMs);
  await calls.stop();
  await worker.stop(10_000);
  await api.stop(5_000);

  const during = calls.timed.filter(({ from, until }) => until >= dropFrom && from <= dropUntil + afterMs);
  const quiet = calls.timed.filter(({ from, until }) => from >= noteFrom - quietMs && until < noteFrom);
  const noting = calls.timed.filter(({ from, until }) => until >= noteFrom && from <= dropFrom);
  const [slowest, usual] = [slowestOf(during), slowestOf(quiet)];
  const dropMs = dropUntil - dropFrom;
  yield {
    bench: `partitions: a day of ${count} events is dropped`,
    gigabytes: rounded(bytes / 1e9, 1),
    dropped,
    note_ms: rounded(dropFrom - noteFrom),
    drop_ms: rounded(dropMs),
    // Postgres deletes the files after the commit, without a lock.
    gone_after_ms: rounded(goneAt - dropFrom),
    slowest_call_ms: rounded(took(slowest)),
    slowest_call: slowest.name,
    slowest_call_while_noted_ms: rounded(took(slowestOf(noting))),
    before: { calls: quiet.length, p50_ms: rounded(quantile(quiet.map(took), 0.5)), p99_ms: rounded(quantile(quiet.map(took), 0.99)), slowest_ms: rounded(took(usual)) },
    failed: calls.failed.slice(0, 5),
    bounds: { drop_ms: bounds.dropMs, slower_ms: bounds.slowerMs },
    met: dropped && calls.failed.length === 0 && dropMs <= bounds.dropMs && took(slowest) - took(usual) <= bounds.slowerMs,
  };
}
