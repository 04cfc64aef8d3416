import { condition, sleep } from '@temporalio/workflow';
import type { SignalArguments } from '../domain/outbox/workflows';

/** A requested attempt of one waiting delivery. */
export type BacklogRequest = SignalArguments['attempt'];

/** Maximum number of requested deliveries, because a run passes them to the next in one argument; further ones wait for the schedule. */
const maxRequests = 2_000;

/** Delay before a request without a free slot is tried again. */
const retryDelay = '5 seconds';

/**
 * The requested attempts of a backlog: each delivery once, in the order of requests. They run one after the other,
 * concurrently with the remaining workflow, so that a hanging receiver delays no probe.
 */
export class BacklogRequests {
  private readonly waiting = new Map<string, BacklogRequest>();
  private running: Promise<void> | undefined;
  private isAttempting = false;
  private isStopping = false;
  private failure: { error: unknown } | undefined;

  /** `make` attempts one delivery and returns whether there was a free slot. The number of requests is limited only if `isBounded`. */
  constructor(
    private readonly attempt: (request: BacklogRequest) => Promise<boolean>,
    carried: readonly BacklogRequest[],
    private readonly isBounded: () => boolean,
  ) {
    for (const request of carried) this.waiting.set(request.deliveryId, request);
  }

  /** Adds a request; false if there are too many. A repeated request only updates the number of attempts it is based on. */
  add(request: BacklogRequest): boolean {
    if (this.waiting.size >= maxRequests && !this.waiting.has(request.deliveryId) && this.isBounded()) return false;
    this.waiting.set(request.deliveryId, request);
    return true;
  }

  /** Starts attempting requests, now and whenever one is added. */
  start(): void {
    this.running ??= this.runAll().catch((error: unknown) => {
      this.failure = { error };
    });
  }

  /** Starts no further attempt. */
  stop(): void {
    this.isStopping = true;
  }

  /** Attempts one request; false if none is left. */
  async attemptNext(): Promise<boolean> {
    const [request] = this.waiting.values();
    if (request === undefined) return false;
    this.waiting.delete(request.deliveryId);
    await this.attempt(request);
    return true;
  }

  /** Rethrows the error of an attempt. */
  requireNoFailure(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }

  get isIdle(): boolean {
    return !this.isAttempting;
  }

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  /** The remaining requests, for the next run. */
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
      else await sleep(retryDelay, { summary: 'a free slot for the requested attempt' });
    }
  }

  /**
   * Removes a request repeated during its attempt, unless it is for a later attempt: the caller may see the end of this
   * attempt before the run does. A request without a number of attempts stays.
   */
  private removeUnlessNewer(request: BacklogRequest): void {
    const now = this.waiting.get(request.deliveryId);
    const isLater = now !== request && (now?.attempts ?? Infinity) > (request.attempts ?? -1);
    if (!isLater) this.waiting.delete(request.deliveryId);
  }
}
