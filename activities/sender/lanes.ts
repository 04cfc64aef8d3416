/** How a lane heard of an attempt's end: quick successes widen it, a timeout or refused connection halves it. */
export type LaneSignal = 'quick' | 'slow' | 'refused';

const initialWidth = 8;
const maxWidth = 64;
const maxInProcess = 256;

/** No endpoint may hold more than this part of the places that are left in the process. */
const shareOfWhatIsLeft = 0.25;

interface Lane {
  width: number;
  held: number;
}

/** Places in which deliveries are attempted: a lane an endpoint, so that one that hangs costs nobody else's. */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private heldInAll = 0;

  /** How many more deliveries of an endpoint may be taken now. */
  room(endpointId: string): number {
    const { width, held } = this.lane(endpointId);
    const share = Math.ceil((maxInProcess - this.heldInAll) * shareOfWhatIsLeft);
    return Math.max(0, Math.min(width - held, share));
  }

  /** Whether taking more is worth a round trip: half of the lane stands free. */
  worthFilling(endpointId: string): boolean {
    const { width, held } = this.lane(endpointId);
    return held <= width / 2 && this.room(endpointId) > 0;
  }

  take(endpointId: string): void {
    this.lane(endpointId).held += 1;
    this.heldInAll += 1;
  }

  release(endpointId: string, signal: LaneSignal): void {
    const lane = this.lane(endpointId);
    lane.held -= 1;
    this.heldInAll -= 1;
    if (signal === 'quick') lane.width = Math.min(maxWidth, lane.width + 1);
    if (signal === 'refused') lane.width = Math.max(1, Math.floor(lane.width / 2));
    if (lane.held === 0 && lane.width === initialWidth) this.lanes.delete(endpointId);
  }

  get inFlight(): number {
    return this.heldInAll;
  }

  private lane(endpointId: string): Lane {
    const known = this.lanes.get(endpointId);
    if (known) return known;
    const lane = { width: initialWidth, held: 0 };
    this.lanes.set(endpointId, lane);
    return lane;
  }
}
