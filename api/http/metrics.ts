import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { createReplicaReadCounter } from '../../config/replicaReadCounter';
import { createDeliveryOutcomeCounter, type DeliveryOutcomeCounter } from '../../config/deliveryOutcomeCounter';
import type { DisclosureOutcome } from '../../domain/disclosures/disclosureLog';

/** The listeners of an API process. */
export type ListenerName = 'public' | 'platform' | 'apps';

/** A request that was answered. */
export interface ObservedRequest {
  listener: ListenerName;
  method: string;
  route: string;
  status: number;
  /** From the first byte of the request to the complete response. */
  ms: number;
}

/** The metrics of an API process at `/metrics`. */
export interface Metrics extends Pick<DeliveryOutcomeCounter, 'observeEnded'> {
  readonly registry: Registry;
  /** Counts a read that may come from the replica. */
  observeReplicaRead: ReturnType<typeof createReplicaReadCounter>;
  observeRequest(request: ObservedRequest): void;
  /** Counts a connection that was closed at once because its listener has as many as it may. */
  observeRefusedConnection(listener: ListenerName): void;
  /** Counts reads of people's data that the record of disclosures has got, or has not. */
  observeDisclosures(outcome: DisclosureOutcome, count: number): void;
}

/** Returns a registry for one process, with Node's default metrics. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request, by route and status.',
    labelNames: ['method', 'route', 'status', 'listener'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers: [registry],
  });
  const refused = new Counter({
    name: 'http_refused_connections_total',
    help: 'Connections that were closed at once because their listener had MAX_CONNECTIONS open.',
    labelNames: ['listener'],
    registers: [registry],
  });
  for (const listener of ['public', 'platform', 'apps']) refused.inc({ listener }, 0);
  const disclosures = new Counter({
    name: 'disclosures_total',
    help: "Reads of people's data, by whether they are on record or were dropped.",
    labelNames: ['outcome'],
    registers: [registry],
  });
  // Initialised with 0: an alert on an increase needs a value before the first one.
  for (const outcome of ['recorded', 'dropped']) disclosures.inc({ outcome }, 0);
  return {
    registry,
    observeReplicaRead: createReplicaReadCounter(registry),
    observeEnded: createDeliveryOutcomeCounter(registry).observeEnded,
    observeDisclosures: (outcome, count) => disclosures.inc({ outcome }, count),
    observeRequest: ({ ms, method, route, status, listener }) => duration.observe({ method, route, status, listener }, ms / 1_000),
    observeRefusedConnection: (listener) => refused.inc({ listener }),
  };
}
