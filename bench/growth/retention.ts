import type { Transaction } from '../../domain/context';
import { retentionMs } from '../../domain/retention/periods';
import { pruneOldDeliveries } from '../../domain/retention/pruneOldDeliveries';
import { pruneOldEvents, type RetentionStep, type RowPosition } from '../../domain/retention/pruneOldEvents';
import { transact } from '../../domain/transact';
import type { BenchEnvironment } from '../environment';
import { processorSeconds } from '../processorTime';
import { median, quantile, rounded } from '../statistics';
import type { FilledInstitution } from './fill';

const daySeconds = 86_400;
const dayMs = daySeconds * 1_000;
const hourMs = 3_600_000;

type Prune = (tx: Transaction, after: RowPosition | null) => Promise<RetentionStep>;

/** When the first rows are as old as asked: of events whole days, because retention looks at days of events that are over. */
function endOfOldest({ from, stepMs }: FilledInstitution['history'], kind: 'events' | 'deliveries', count: number): number {
  const end = from.getTime() + count * stepMs + 1;
  return kind === 'deliveries' ? end : Math.ceil(end / dayMs) * dayMs + hourMs;
}

/** Deletes the oldest `count` rows, or what a day has of events, as if they were just too old, in the chunks of housekeeping. */
async function benchDeletes(environment: BenchEnvironment, { institution, history }: FilledInstitution, kind: 'events' | 'deliveries', prune: Prune, count: number): Promise<object> {
  const now = new Date(endOfOldest(history, kind, count) + retentionMs[kind]);
  const postgres = environment.pids.get('postgres') ?? 0;
  const cpuBefore = processorSeconds(postgres);
  const chunkMs: number[] = [];
  let removed = 0;
  for (let after: RowPosition | null | undefined; after !== null; ) {
    const from: RowPosition | null = after ?? null;
    const begun = performance.now();
    const step: RetentionStep = await transact(environment.domain, { institutionId: institution.id, now }, (tx) => prune(tx, from));
    chunkMs.push(performance.now() - begun);
    removed += step.removed;
    after = step.next;
  }
  const seconds = chunkMs.reduce((sum, ms) => sum + ms, 0) / 1_000;
  // Of events, whole days leave row by row: the last of these may stay.
  if (removed === 0) process.exitCode = 1;
  return {
    bench: `growth: retention deletes ${count} ${kind}`,
    removed,
    rows_per_s: Math.round(removed / seconds),
    millions_a_day: rounded((removed / seconds) * daySeconds / 1e6, 1),
    chunk_p50_ms: rounded(median(chunkMs)),
    chunk_p95_ms: rounded(quantile(chunkMs, 0.95)),
    chunk_p99_ms: rounded(quantile(chunkMs, 0.99)),
    postgres_cpu_s_per_1000: rounded((processorSeconds(postgres) - cpuBefore) / (removed / 1_000), 3),
    ...(removed === 0 ? { failed: 'no row was deleted' } : {}),
  };
}

/** Measures retention by DELETE: deliveries with their attempts, then events. */
export async function* benchRetention(environment: BenchEnvironment, filled: FilledInstitution, count: number): AsyncGenerator<object> {
  yield await benchDeletes(environment, filled, 'deliveries', pruneOldDeliveries, count);
  yield await benchDeletes(environment, filled, 'events', pruneOldEvents, count);
}
