import type { EndpointReference } from '../../db/repositories/webhooks/endpoints';

/** How many attempts of activities a worker has under way, in all and of one institution. */
const maxTotal = 512;
const maxPerInstitution = 25;

/** An attempt that took so long, in ms, is one of a receiver that hangs; of those that answer sooner more go at once. */
const slowThresholdMs = 2_000;

/** How many attempts of an endpoint go at once, by what its last one here was like; of those that are not known to be quick all together fewer than there are places. */
const maxPerEndpoint = { unknown: 3, quick: 16, slow: 1 } as const;
const maxNotQuick = 384;
const maxRemembered = 2_000;

type EndpointSpeed = keyof typeof maxPerEndpoint;

/** Whether an attempt is one of many, or the only probe of its endpoint. */
export type AttemptKind = 'attempt' | 'probe';

/**
 * AttemptConcurrency for the attempts that activities make, bounded per endpoint, per institution and in all, so that receivers that
 * hang leave places for those that answer.
 */
export class AttemptConcurrency {
  private readonly speeds = new Map<string, EndpointSpeed>();
  private readonly countByEndpoint = new Map<string, number>();
  private readonly countByInstitution = new Map<string, number>();
  private total = 0;
  private totalNotQuick = 0;

  /**
   * Runs the work if there is a place for it; answers undefined, and has not run it, when there is none. A probe counts
   * towards its institution's places and those in all: what else is attempted of its endpoint does not keep it waiting.
   */
  async tryRun<Result>(owner: EndpointReference, work: () => Promise<Result>, kind: AttemptKind = 'attempt'): Promise<{ result: Result } | undefined> {
    const { endpointId, institutionId } = owner;
    const pace = this.speeds.get(endpointId) ?? 'unknown';
    if (!this.hasSlot(owner, pace, kind)) return undefined;
    const notQuick = pace === 'quick' ? 0 : 1;
    const ofEndpoint = kind === 'attempt' ? 1 : 0;
    const count = (by: 1 | -1): void => {
      this.total += by;
      this.totalNotQuick += by * notQuick;
      add(this.countByInstitution, institutionId, by);
      add(this.countByEndpoint, endpointId, by * ofEndpoint);
    };
    count(1);
    try {
      return { result: await work() };
    } finally {
      count(-1);
    }
  }

  /** Notes that an attempt of this endpoint was posted and took so long, which decides how many of its next ones go at once. */
  recordDuration(endpointId: string, tookMs: number): void {
    this.setSpeed(endpointId, tookMs < slowThresholdMs ? 'quick' : 'slow');
  }

  private hasSlot({ endpointId, institutionId }: EndpointReference, pace: EndpointSpeed, kind: AttemptKind): boolean {
    if (this.total >= maxTotal || (this.countByInstitution.get(institutionId) ?? 0) >= maxPerInstitution) return false;
    if (pace !== 'quick' && this.totalNotQuick >= maxNotQuick) return false;
    return kind === 'probe' || (this.countByEndpoint.get(endpointId) ?? 0) < maxPerEndpoint[pace];
  }

  private setSpeed(endpointId: string, pace: EndpointSpeed): void {
    // Set anew, so that the paces stand in the order in which they were last seen.
    this.speeds.delete(endpointId);
    this.speeds.set(endpointId, pace);
    for (const oldest of this.speeds.keys()) {
      if (this.speeds.size <= maxRemembered) return;
      this.speeds.delete(oldest);
    }
  }
}

function add(counts: Map<string, number>, id: string, by: number): void {
  const left = (counts.get(id) ?? 0) + by;
  if (left === 0) counts.delete(id);
  else counts.set(id, left);
}
