import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { createDeliveryOutcomeCounter, type DeliveryOutcomeCounter } from '../../config/deliveryOutcomeCounter';

/** The metrics of an API process at `/metrics`. */
export interface Metrics extends Pick<DeliveryOutcomeCounter, 'observeEnded'> {
  readonly registry: Registry;
  /** `ms`: from the first byte of the request to the complete response. */
  observeRequest(method: string, route: string, status: number, ms: number): void;
}

/** Returns a registry for one process, with Node's default metrics. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers: [registry],
  });
  return {
    registry,
    observeEnded: createDeliveryOutcomeCounter(registry).observeEnded,
    observeRequest: (method, route, status, ms) => duration.observe({ method, route, status }, ms / 1_000),
  };
}
