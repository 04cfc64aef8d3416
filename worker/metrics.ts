import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { RecordedAttempt } from '../db/repositories/webhooks/attempts';
import { prunedKinds, type PrunedKind } from '../domain/retention/pruneExpired';
import { createDeliveryOutcomeCounter, type DeliveryOutcomeCounter } from '../config/deliveryOutcomeCounter';

/** What a worker tells of itself at `/metrics`. */
export interface WorkerMetrics extends Pick<DeliveryOutcomeCounter, 'observeEnded'> {
  readonly registry: Registry;
  /** Counts attempts by what they came to, and how long they took. */
  observeAttempts(attempts: readonly RecordedAttempt[]): void;
  /** Counts a chunk of housekeeping that failed. */
  observePruneFailed(kind: PrunedKind): void;
}

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
  const { observeDelivered, observeEnded } = createDeliveryOutcomeCounter(registry);
  const duration = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Length of delivery attempts.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const pruneFailures = new Counter({
    name: 'housekeeping_failures_total',
    help: 'Chunks of housekeeping that failed, by the kind of rows; each is tried again.',
    labelNames: ['kind'],
    registers: [registry],
  });
  // From the start: an alert on a rise has nothing to go by where the first failure makes the series.
  for (const kind of prunedKinds) pruneFailures.inc({ kind }, 0);
  return {
    registry,
    observePruneFailed: (kind) => pruneFailures.inc({ kind }),
    observeAttempts: (attempts) => {
      for (const { status, error_class, duration_ms } of attempts) {
        outcomes.inc({ status, error_class: error_class ?? 'none' });
        if (status === 'delivered') observeDelivered();
        if (status === 'dead') observeEnded({ dead: 1 });
        duration.observe(duration_ms / 1_000);
      }
    },
    observeEnded,
  };
}
