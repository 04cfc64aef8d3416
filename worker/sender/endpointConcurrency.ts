import type { EndpointReference } from '../../db/repositories/webhooks/endpoints';

/** How a lane heard of an attempt's end: quick successes widen it, slow ones narrow it, a timeout or refusal halves it. */
export type LaneSignal = 'quick' | 'slow' | 'refused';

const initialWidth = 4;
const maxWidth = 64;
const maxInProcess = 512;
const mostRemembered = 2_000;

/** No endpoint and no institution may hold more than this part of the places that are left in the process. */
const shareOfWhatIsLeft = 0.25;

interface Lane {
  width: number;
  held: number;
}

/**
 * Places in which deliveries are attempted: a lane an endpoint, so that one that hangs costs nobody else's, and a
 * share an institution, so that many endpoints of one do not either.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private readonly heldByInstitution = new Map<string, number>();
  private heldInAll = 0;

  /**
   * How many more deliveries of each endpoint may be taken now, all of them together within every bound; only
   * endpoints whose lane is half free are worth the round trip.
   */
  rooms(owners: Iterable<EndpointReference>): Map<string, number> {
    const rooms = new Map<string, number>();
    const planned = new Map<string, number>();
    let left = maxInProcess - this.heldInAll;
    for (const { endpointId, institutionId } of owners) {
      const { width, held } = this.lanes.get(endpointId) ?? { width: initialWidth, held: 0 };
      if (held > width / 2) continue;
      const ofInstitution = (this.heldByInstitution.get(institutionId) ?? 0) + (planned.get(institutionId) ?? 0);
      const share = Math.ceil((left + ofInstitution) * shareOfWhatIsLeft) - ofInstitution;
      const places = Math.min(width - held, share, left);
      if (places <= 0) continue;
      rooms.set(endpointId, places);
      planned.set(institutionId, (planned.get(institutionId) ?? 0) + places);
      left -= places;
    }
    return rooms;
  }

  take({ endpointId, institutionId }: EndpointReference): void {
    const lane = this.lanes.get(endpointId) ?? { width: initialWidth, held: 0 };
    // Set anew, so that the lanes stand in the order in which they were last used.
    this.lanes.delete(endpointId);
    this.lanes.set(endpointId, { ...lane, held: lane.held + 1 });
    this.forgetOldest();
    this.heldByInstitution.set(institutionId, (this.heldByInstitution.get(institutionId) ?? 0) + 1);
    this.heldInAll += 1;
  }

  release({ endpointId, institutionId }: EndpointReference, signal: LaneSignal): void {
    const lane = this.lanes.get(endpointId);
    if (lane === undefined) throw new Error('A place is released once');
    this.lanes.set(endpointId, { held: lane.held - 1, width: nextWidth(lane.width, signal) });
    const ofInstitution = (this.heldByInstitution.get(institutionId) ?? 0) - 1;
    if (ofInstitution === 0) this.heldByInstitution.delete(institutionId);
    else this.heldByInstitution.set(institutionId, ofInstitution);
    this.heldInAll -= 1;
  }

  /** What lanes have learned is kept while they are empty, of those used last. */
  private forgetOldest(): void {
    for (const [endpointId, { held }] of this.lanes) {
      if (this.lanes.size <= mostRemembered) return;
      if (held === 0) this.lanes.delete(endpointId);
    }
  }

  /** Places held in all. */
  get inFlight(): number {
    return this.heldInAll;
  }
}

function nextWidth(width: number, signal: LaneSignal): number {
  if (signal === 'quick') return Math.min(maxWidth, width + 1);
  return Math.max(1, signal === 'refused' ? Math.floor(width / 2) : width - 1);
}
