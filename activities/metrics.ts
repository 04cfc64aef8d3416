import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { RecordedAttempt } from '../db/repositories/attempts';

/** What a worker tells of itself at `/metrics`. */
export interface WorkerMetrics {
  readonly registry: Registry;
  /** Counts attempts by what they came to, and how long they took. */
  observeAttempts(attempts: readonly RecordedAttempt[]): void;
  /** Counts deliveries that were given up without an attempt: out of time, held for too long, their endpoint disabled. */
  observeDead(count: number): void;
}

const endings = ['delivered', 'dead'] as const satisfies readonly RecordedAttempt['status'][];

/** A registry of its own for one process, with Node's default metrics. */
export function createWorkerMetrics(): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const outcomes = new Counter({
    name: 'webhook_attempts_total',
    help: 'Delivery attempts by what they made of their delivery and by error class.',
    labelNames: ['status', 'error_class'],
    registers: [registry],
  });
  const ended = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Deliveries that have ended, by an attempt or given up without one, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // Known from the start: what appears with its first increase has no rate at that moment.
  for (const outcome of endings) ended.inc({ outcome }, 0);
  const duration = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Length of delivery attempts.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    registry,
    observeAttempts: (attempts) => {
      for (const { status, error_class, duration_ms } of attempts) {
        outcomes.inc({ status, error_class: error_class ?? 'none' });
        if (status !== 'retrying') ended.inc({ outcome: status });
        duration.observe(duration_ms / 1_000);
      }
    },
    observeDead: (count) => ended.inc({ outcome: 'dead' }, count),
  };
}
