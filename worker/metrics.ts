import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { RecordedAttempt } from '../db/repositories/webhooks/attempts';
import { prunedKinds, type PrunedKind } from '../domain/retention/pruneExpired';
import { createReplicaReadCounter } from '../config/replicaReadCounter';
import { createDeliveryOutcomeCounter, type DeliveryOutcomeCounter } from '../config/deliveryOutcomeCounter';

/** The metrics of a worker at `/metrics`. */
export interface WorkerMetrics extends Pick<DeliveryOutcomeCounter, 'observeEnded'> {
  readonly registry: Registry;
  /** Counts a read that may come from the replica. */
  observeReplicaRead: ReturnType<typeof createReplicaReadCounter>;
  /** Counts attempts by outcome, and observes their duration. */
  observeAttempts(attempts: readonly RecordedAttempt[]): void;
  /** Counts a failed chunk of housekeeping. */
  observePruneFailed(kind: PrunedKind): void;
  /** Counts a sign-in code that is not sent because too many accounts are claimed from one client address. */
  observeRefusedClaim(): void;
}

/** Returns a registry for one process, with Node's default metrics. */
export function createWorkerMetrics(): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const outcomes = new Counter({
    name: 'webhook_attempts_total',
    help: 'Delivery attempts by outcome of their delivery and by error class.',
    labelNames: ['status', 'error_class'],
    registers: [registry],
  });
  const { observeDelivered, observeEnded } = createDeliveryOutcomeCounter(registry);
  const duration = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Duration of delivery attempts.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const pruneFailures = new Counter({
    name: 'housekeeping_failures_total',
    help: 'Failed chunks of housekeeping, by kind of rows; each is retried.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const refusedClaims = new Counter({
    name: 'refused_account_claims_total',
    help: 'Sign-in codes not sent because too many accounts of an institution were claimed from one client address.',
    registers: [registry],
  });
  // Initialised with 0: an alert on an increase needs a value before the first failure.
  for (const kind of prunedKinds) pruneFailures.inc({ kind }, 0);
  return {
    registry,
    observeReplicaRead: createReplicaReadCounter(registry),
    observeRefusedClaim: () => refusedClaims.inc(),
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
