import type { EndpointReference } from '../../db/repositories/webhooks/endpoints';
import { failureLimits } from '../../domain/webhooks/circuitBreaker';

/** How an attempt ended: a quick success raises the endpoint's limit, a slow one lowers it, a timeout or refused connection halves it. */
export type AttemptSignal = 'quick' | 'slow' | 'refused';

const initialLimit = 4;
const maxLimit = 64;
const maxInProcess = 512;
const maxRemembered = 2_000;

/** Maximum part of the free slots of the process that one endpoint or one institution may occupy. */
const maxShareOfFree = 0.25;

interface EndpointLimit {
  limit: number;
  inFlight: number;
}

/**
 * Limits the attempts of the sender, per endpoint, so that a hanging one affects no other, and per institution, so that many
 * endpoints of one do not either.
 */
export class EndpointConcurrency {
  private readonly limits = new Map<string, EndpointLimit>();
  private readonly inFlightByInstitution = new Map<string, number>();
  /** How many failures of each endpoint are not written yet; those without any are not in it. */
  private readonly unwrittenFailures = new Map<string, number>();
  private totalInFlight = 0;

  /**
   * Returns how many more deliveries of each endpoint may be claimed now, within all limits together; omits endpoints with
   * less than half of their limit free, which are not worth the round trip, and those with as many unwritten failures as open a
   * circuit: until they are written nobody knows that they do.
   */
  freeSlots(owners: Iterable<EndpointReference>): Map<string, number> {
    const slots = new Map<string, number>();
    const planned = new Map<string, number>();
    let left = maxInProcess - this.totalInFlight;
    for (const { endpointId, institutionId } of owners) {
      const { limit, inFlight } = this.limits.get(endpointId) ?? { limit: initialLimit, inFlight: 0 };
      if (inFlight > limit / 2 || this.hasTooManyFailures(endpointId)) continue;
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
    const state = this.limits.get(endpointId) ?? { limit: initialLimit, inFlight: 0 };
    // Deleted first, so that the map is ordered by the last use.
    this.limits.delete(endpointId);
    this.limits.set(endpointId, { ...state, inFlight: state.inFlight + 1 });
    this.evictOldest();
    this.inFlightByInstitution.set(institutionId, (this.inFlightByInstitution.get(institutionId) ?? 0) + 1);
    this.totalInFlight += 1;
  }

  release({ endpointId, institutionId }: EndpointReference, signal: AttemptSignal): void {
    const state = this.limits.get(endpointId);
    if (state === undefined) throw new Error('A slot must be released only once');
    this.limits.set(endpointId, { inFlight: state.inFlight - 1, limit: nextLimit(state.limit, signal) });
    const ofInstitution = (this.inFlightByInstitution.get(institutionId) ?? 0) - 1;
    if (ofInstitution === 0) this.inFlightByInstitution.delete(institutionId);
    else this.inFlightByInstitution.set(institutionId, ofInstitution);
    this.totalInFlight -= 1;
  }

  /** Counts a failed attempt that is about to be written. */
  addUnwrittenFailure(endpointId: string): void {
    this.unwrittenFailures.set(endpointId, (this.unwrittenFailures.get(endpointId) ?? 0) + 1);
  }

  /** Uncounts one that is written or abandoned; returns whether deliveries of its endpoint may be claimed again since. */
  removeUnwrittenFailure(endpointId: string): boolean {
    const hadTooMany = this.hasTooManyFailures(endpointId);
    const left = (this.unwrittenFailures.get(endpointId) ?? 0) - 1;
    if (left > 0) this.unwrittenFailures.set(endpointId, left);
    else this.unwrittenFailures.delete(endpointId);
    return hadTooMany && !this.hasTooManyFailures(endpointId);
  }

  private hasTooManyFailures(endpointId: string): boolean {
    return (this.unwrittenFailures.get(endpointId) ?? 0) >= failureLimits.failuresToOpen;
  }

  /** Evicts the limits of endpoints used longest ago; the others are kept even without attempts in flight. */
  private evictOldest(): void {
    for (const [endpointId, { inFlight }] of this.limits) {
      if (this.limits.size <= maxRemembered) return;
      if (inFlight === 0) this.limits.delete(endpointId);
    }
  }

  /** Total number of attempts in flight. */
  get inFlight(): number {
    return this.totalInFlight;
  }
}

function nextLimit(width: number, signal: AttemptSignal): number {
  if (signal === 'quick') return Math.min(maxLimit, width + 1);
  return Math.max(1, signal === 'refused' ? Math.floor(width / 2) : width - 1);
}
