import type { EndpointReference } from '../../db/repositories/webhooks/endpoints';

/** How a lane heard of an attempt's end: quick successes widen it, slow ones narrow it, a timeout or refusal halves it. */
export type AttemptSignal = 'quick' | 'slow' | 'refused';

const initialLimit = 4;
const maxLimit = 64;
const maxInProcess = 512;
const maxRemembered = 2_000;

/** No endpoint and no institution may hold more than this part of the places that are left in the process. */
const maxShareOfFree = 0.25;

interface EndpointLimit {
  limit: number;
  inFlight: number;
}

/**
 * AttemptConcurrency in which deliveries are attempted: a lane an endpoint, so that one that hangs costs nobody else's, and a
 * share an institution, so that many endpoints of one do not either.
 */
export class EndpointConcurrency {
  private readonly limits = new Map<string, EndpointLimit>();
  private readonly inFlightByInstitution = new Map<string, number>();
  private totalInFlight = 0;

  /**
   * How many more deliveries of each endpoint may be taken now, all of them together within every bound; only
   * endpoints whose lane is half free are worth the round trip.
   */
  freeSlots(owners: Iterable<EndpointReference>): Map<string, number> {
    const slots = new Map<string, number>();
    const planned = new Map<string, number>();
    let left = maxInProcess - this.totalInFlight;
    for (const { endpointId, institutionId } of owners) {
      const { limit, inFlight } = this.limits.get(endpointId) ?? { limit: initialLimit, inFlight: 0 };
      if (inFlight > limit / 2) continue;
      const ofInstitution = (this.inFlightByInstitution.get(institutionId) ?? 0) + (planned.get(institutionId) ?? 0);
      const share = Math.ceil((left + ofInstitution) * maxShareOfFree) - ofInstitution;
      const count = Math.min(limit - inFlight, share, left);
      if (count <= 0) continue;
      slots.set(endpointId, count);
      planned.set(institutionId, (planned.get(institutionId) ?? 0) + count);
      left -= count;
    }
    return slots;
  }

  acquire({ endpointId, institutionId }: EndpointReference): void {
    const lane = this.limits.get(endpointId) ?? { limit: initialLimit, inFlight: 0 };
    // Set anew, so that the lanes stand in the order in which they were last used.
    this.limits.delete(endpointId);
    this.limits.set(endpointId, { ...lane, inFlight: lane.inFlight + 1 });
    this.evictOldest();
    this.inFlightByInstitution.set(institutionId, (this.inFlightByInstitution.get(institutionId) ?? 0) + 1);
    this.totalInFlight += 1;
  }

  release({ endpointId, institutionId }: EndpointReference, signal: AttemptSignal): void {
    const lane = this.limits.get(endpointId);
    if (lane === undefined) throw new Error('A place is released once');
    this.limits.set(endpointId, { inFlight: lane.inFlight - 1, limit: nextLimit(lane.limit, signal) });
    const ofInstitution = (this.inFlightByInstitution.get(institutionId) ?? 0) - 1;
    if (ofInstitution === 0) this.inFlightByInstitution.delete(institutionId);
    else this.inFlightByInstitution.set(institutionId, ofInstitution);
    this.totalInFlight -= 1;
  }

  /** What lanes have learned is kept while they are empty, of those used last. */
  private evictOldest(): void {
    for (const [endpointId, { inFlight }] of this.limits) {
      if (this.limits.size <= maxRemembered) return;
      if (inFlight === 0) this.limits.delete(endpointId);
    }
  }

  /** AttemptConcurrency held in all. */
  get inFlight(): number {
    return this.totalInFlight;
  }
}

function nextLimit(width: number, signal: AttemptSignal): number {
  if (signal === 'quick') return Math.min(maxLimit, width + 1);
  return Math.max(1, signal === 'refused' ? Math.floor(width / 2) : width - 1);
}
