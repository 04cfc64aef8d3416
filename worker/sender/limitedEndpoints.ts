import type { SendableEndpoint } from '../../db/repositories/webhooks/endpoints';

interface WaitingEndpoint {
  endpoint: SendableEndpoint;
  readyAt: number;
}

/** The endpoints with a rate limit that have deliveries to be sent, each with when it accepts the next. Times are of a monotonic clock, in ms. */
export class LimitedEndpoints {
  private readonly waiting = new Map<string, WaitingEndpoint>();

  /** Adds an endpoint that may accept a delivery now; one that waits keeps its time. */
  add(endpoint: SendableEndpoint, now: number): void {
    if (!this.waiting.has(endpoint.endpointId)) this.waiting.set(endpoint.endpointId, { endpoint, readyAt: now });
  }

  /** Sets when an endpoint accepts its next delivery. */
  postpone(endpoint: SendableEndpoint, readyAt: number): void {
    this.waiting.set(endpoint.endpointId, { endpoint, readyAt });
  }

  /** Forgets an endpoint. */
  forget(endpointId: string): void {
    this.waiting.delete(endpointId);
  }

  /** Returns the endpoints that may accept a delivery now. */
  ready(now: number): SendableEndpoint[] {
    return [...this.waiting.values()].filter(({ readyAt }) => readyAt <= now).map(({ endpoint }) => endpoint);
  }

  /** Returns in how many ms the next of those that are not ready is; undefined if there is none. */
  nextReadyMs(now: number): number | undefined {
    const times = [...this.waiting.values()].map(({ readyAt }) => readyAt - now).filter((ms) => ms > 0);
    return times.length === 0 ? undefined : Math.min(...times);
  }
}
