import type { SendableEndpoint } from '../../db/repositories/webhooks/endpoints';
import { takeSlotsForPending } from '../../db/repositories/webhooks/rateLimits';
import { claimPendingDeliveries, type ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import type { Sql } from '../../db/statement';
import { deliveryWindowMs } from '../../domain/webhooks/retrySchedule';
import { startRepeatingTask } from '../../lib/repeatingTask';
import type { EndpointConcurrency } from './endpointConcurrency';
import { LimitedEndpoints } from './limitedEndpoints';

/** Minimum interval between two claims of limited endpoints, in ms, so that many of them are claimed together. */
const minClaimIntervalMs = 10;
const pollIntervalMs = 500;

/** Claims the deliveries of endpoints with a rate limit. */
export interface LimitedClaims {
  /** Adds an endpoint with deliveries to be sent. */
  add(endpoint: SendableEndpoint): void;
  /** Signals that slots of the sender are free again. */
  wakeForFreeSlots(): void;
  stop(): Promise<void>;
}

export interface LimitedClaimsDeps {
  sql: Sql;
  claimedBy: string;
  endpointConcurrency: EndpointConcurrency;
  begin: (claimed: readonly ClaimedDelivery[]) => void;
  /** Called for an endpoint that has no limit any more, or accepts no deliveries. */
  onUnlimited: (endpoint: SendableEndpoint) => void;
  onError: (error: unknown) => void;
}

/**
 * Starts a loop of its own for endpoints with a rate limit: others neither wait for it nor cost a statement more. An endpoint whose
 * limit is reached is left alone until it accepts its next delivery, regardless of how many wait.
 */
export function startLimitedClaims({ sql, claimedBy, endpointConcurrency, begin, onUnlimited, onError }: LimitedClaimsDeps): LimitedClaims {
  const endpoints = new LimitedEndpoints();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const claim = async (): Promise<void> => {
    const ready = endpoints.ready(performance.now());
    const room = endpointConcurrency.freeSlots(ready);
    const asked = ready.filter(({ endpointId }) => room.has(endpointId));
    // Forgotten before the queries, so that deliveries fanned out during them are added again.
    for (const { endpointId } of asked) endpoints.forget(endpointId);
    if (asked.length > 0) await claimAsked(asked, room);
    scheduleNext();
  };

  const claimAsked = async (asked: readonly SendableEndpoint[], room: ReadonlyMap<string, number>): Promise<void> => {
    const slots = await takeSlotsForPending(sql, room);
    const granted = new Map(slots.filter((taken) => taken.granted > 0).map((taken) => [taken.endpoint_id, taken.granted]));
    if (granted.size > 0) begin(await claimPendingDeliveries(sql, granted, claimedBy, deliveryWindowMs, { haveSlots: true }));
    const now = performance.now();
    const slotsOf = new Map(slots.map((taken) => [taken.endpoint_id, taken]));
    for (const endpoint of asked) {
      const taken = slotsOf.get(endpoint.endpointId);
      if (taken === undefined) onUnlimited({ ...endpoint, rateLimit: null });
      else if (taken.is_waiting) endpoints.postpone(endpoint, now + Math.max(minClaimIntervalMs, taken.wait_ms));
    }
  };

  const scheduleNext = (): void => {
    clearTimeout(timer);
    const nextMs = endpoints.nextReadyMs(performance.now());
    if (nextMs !== undefined && !stopped) timer = setTimeout(() => loop.wake(), Math.max(minClaimIntervalMs, nextMs));
  };

  const loop = startRepeatingTask(claim, { everyMs: pollIntervalMs, onError });
  return {
    add: (endpoint) => {
      const now = performance.now();
      endpoints.add(endpoint, now);
      if (endpoints.ready(now).length > 0) loop.wake();
    },
    wakeForFreeSlots: () => {
      if (endpoints.ready(performance.now()).length > 0) loop.wake();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await loop.stop();
    },
  };
}
