import type { EndpointReference } from '../../db/repositories/webhooks/endpoints';

/** How many attempts of activities a worker has under way, in all and of one institution. */
const mostInAll = 512;
const mostOfInstitution = 25;

/** An attempt that took so long, in ms, is one of a receiver that hangs; of those that answer sooner more go at once. */
const slowFromMs = 2_000;

/** How many attempts of an endpoint go at once, by what its last one here was like; of those that are not known to be quick all together fewer than there are places. */
const mostOfEndpoint = { unknown: 3, quick: 16, slow: 1 } as const;
const mostNotQuick = 384;
const mostRemembered = 2_000;

type Pace = keyof typeof mostOfEndpoint;

/** Whether an attempt is one of many, or the only probe of its endpoint. */
export type AttemptKind = 'attempt' | 'probe';

/**
 * Places for the attempts that activities make, bounded per endpoint, per institution and in all, so that receivers that
 * hang leave places for those that answer.
 */
export class Places {
  private readonly paces = new Map<string, Pace>();
  private readonly ofEndpoint = new Map<string, number>();
  private readonly ofInstitution = new Map<string, number>();
  private inAll = 0;
  private notQuick = 0;

  /**
   * Runs the work if there is a place for it; answers undefined, and has not run it, when there is none. A probe counts
   * towards its institution's places and those in all: what else is attempted of its endpoint does not keep it waiting.
   */
  async within<Result>(owner: EndpointReference, work: () => Promise<Result>, kind: AttemptKind = 'attempt'): Promise<{ result: Result } | undefined> {
    const { endpointId, institutionId } = owner;
    const pace = this.paces.get(endpointId) ?? 'unknown';
    if (!this.hasPlace(owner, pace, kind)) return undefined;
    const notQuick = pace === 'quick' ? 0 : 1;
    const ofEndpoint = kind === 'attempt' ? 1 : 0;
    const count = (by: 1 | -1): void => {
      this.inAll += by;
      this.notQuick += by * notQuick;
      add(this.ofInstitution, institutionId, by);
      add(this.ofEndpoint, endpointId, by * ofEndpoint);
    };
    count(1);
    try {
      return { result: await work() };
    } finally {
      count(-1);
    }
  }

  /** Notes that an attempt of this endpoint was posted and took so long, which decides how many of its next ones go at once. */
  notePosted(endpointId: string, tookMs: number): void {
    this.remember(endpointId, tookMs < slowFromMs ? 'quick' : 'slow');
  }

  private hasPlace({ endpointId, institutionId }: EndpointReference, pace: Pace, kind: AttemptKind): boolean {
    if (this.inAll >= mostInAll || (this.ofInstitution.get(institutionId) ?? 0) >= mostOfInstitution) return false;
    if (pace !== 'quick' && this.notQuick >= mostNotQuick) return false;
    return kind === 'probe' || (this.ofEndpoint.get(endpointId) ?? 0) < mostOfEndpoint[pace];
  }

  private remember(endpointId: string, pace: Pace): void {
    // Set anew, so that the paces stand in the order in which they were last seen.
    this.paces.delete(endpointId);
    this.paces.set(endpointId, pace);
    for (const oldest of this.paces.keys()) {
      if (this.paces.size <= mostRemembered) return;
      this.paces.delete(oldest);
    }
  }
}

function add(counts: Map<string, number>, id: string, by: number): void {
  const left = (counts.get(id) ?? 0) + by;
  if (left === 0) counts.delete(id);
  else counts.set(id, left);
}
