import { condition, sleep } from '@temporalio/workflow';
import type { SignalArguments } from '../domain/outbox/workflows';

/** An attempt of one waiting delivery that somebody asked for. */
export type BacklogRequest = SignalArguments['attempt'];

/** What is asked for beyond so many deliveries waits for the schedule: a run hands its requests on in one argument. */
const maxRequests = 2_000;

/** How long what found no place is put off. */
const retryDelay = '5 seconds';

/**
 * What was asked of a backlog: each delivery once, in the order asked. They are attempted one after the other beside the
 * rest of the workflow, so that a receiver that hangs keeps no probe waiting.
 */
export class BacklogRequests {
  private readonly waiting = new Map<string, BacklogRequest>();
  private running: Promise<void> | undefined;
  private isAttempting = false;
  private isStopping = false;
  private failure: { error: unknown } | undefined;

  /** `make` attempts one; it answers whether there was a place for it. Whatever is asked for is taken where it `isBounded` not. */
  constructor(
    private readonly attempt: (request: BacklogRequest) => Promise<boolean>,
    carried: readonly BacklogRequest[],
    private readonly isBounded: () => boolean,
  ) {
    for (const request of carried) this.waiting.set(request.deliveryId, request);
  }

  /** Takes a request; false when there are too many. One for a delivery that is asked for already says how many attempts it saw, and adds nothing else. */
  add(request: BacklogRequest): boolean {
    if (this.waiting.size >= maxRequests && !this.waiting.has(request.deliveryId) && this.isBounded()) return false;
    this.waiting.set(request.deliveryId, request);
    return true;
  }

  /** Begins to attempt them, now and whenever one is added. */
  start(): void {
    this.running ??= this.runAll().catch((error: unknown) => {
      this.failure = { error };
    });
  }

  /** Begins no further one. */
  stop(): void {
    this.isStopping = true;
  }

  /** Attempts one here and now; false when none is left. */
  async attemptNext(): Promise<boolean> {
    const [request] = this.waiting.values();
    if (request === undefined) return false;
    this.waiting.delete(request.deliveryId);
    await this.attempt(request);
    return true;
  }

  /** Raises what an attempt failed with. */
  requireNoFailure(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }

  get isIdle(): boolean {
    return !this.isAttempting;
  }

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  /** Those that are still to be attempted, for the next run. */
  get remaining(): BacklogRequest[] {
    return [...this.waiting.values()];
  }

  private async runAll(): Promise<void> {
    for (;;) {
      await condition(() => this.waiting.size > 0 && !this.isStopping);
      const [request] = this.waiting.values();
      if (request === undefined) continue;
      this.isAttempting = true;
      const made = await this.attempt(request).finally(() => {
        this.isAttempting = false;
      });
      if (made) this.removeUnlessNewer(request);
      else await sleep(retryDelay, { summary: 'a place for what was asked for' });
    }
  }

  /**
   * One that came meanwhile goes with it unless it is for a later attempt: whoever asks may see the end of this one before
   * the run does. What does not say how many it saw stays.
   */
  private removeUnlessNewer(request: BacklogRequest): void {
    const now = this.waiting.get(request.deliveryId);
    const isLater = now !== request && (now?.attempts ?? Infinity) > (request.attempts ?? -1);
    if (!isLater) this.waiting.delete(request.deliveryId);
  }
}
