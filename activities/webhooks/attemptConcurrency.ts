import type { EndpointReference } from '../../db/repositories/webhooks/endpoints';

/** Maximum number of concurrent attempts by activities of a worker, in total unless the settings say another one, and of one institution. */
const maxTotal = 512;
const maxPerInstitution = 25;

/** Duration from which an attempt counts as slow, in ms; endpoints with faster responses get more concurrent attempts. */
const slowThresholdMs = 2_000;

/** Maximum number of concurrent attempts of an endpoint, by the duration of its last one here; endpoints not known to be quick together get fewer than all slots, in this ratio. */
const maxPerEndpoint = { unknown: 3, quick: 16, slow: 1 } as const;
const maxNotQuick = 384;
const maxRemembered = 2_000;

type EndpointSpeed = keyof typeof maxPerEndpoint;

/** Whether an attempt is one of many, or the only probe of its endpoint. */
export type AttemptKind = 'attempt' | 'probe';

/**
 * Limits the attempts made by activities, per endpoint, per institution and in total, so that hanging receivers leave slots
 * for the others.
 */
export class AttemptConcurrency {
  private readonly speeds = new Map<string, EndpointSpeed>();
  private readonly countByEndpoint = new Map<string, number>();
  private readonly countByInstitution = new Map<string, number>();
  private total = 0;
  private totalNotQuick = 0;
  private readonly slotsOfNotQuick: number;

  constructor(private readonly slots = maxTotal) {
    this.slotsOfNotQuick = Math.ceil((slots * maxNotQuick) / maxTotal);
  }

  /**
   * Runs the work if a slot is free and returns its result; undefined, without running it, if none is. A probe uses the slots
   * of its institution and the total, but not those of its endpoint, so that other attempts do not delay it.
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

  /** Records the duration of an attempt of this endpoint, which determines how many of its next ones run concurrently. */
  recordDuration(endpointId: string, tookMs: number): void {
    this.setSpeed(endpointId, tookMs < slowThresholdMs ? 'quick' : 'slow');
  }

  private hasSlot({ endpointId, institutionId }: EndpointReference, pace: EndpointSpeed, kind: AttemptKind): boolean {
    if (this.total >= this.slots || (this.countByInstitution.get(institutionId) ?? 0) >= maxPerInstitution) return false;
    if (pace !== 'quick' && this.totalNotQuick >= this.slotsOfNotQuick) return false;
    return kind === 'probe' || (this.countByEndpoint.get(endpointId) ?? 0) < maxPerEndpoint[pace];
  }

  private setSpeed(endpointId: string, pace: EndpointSpeed): void {
    // Deleted first, so that the map is ordered by the last use.
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
