import type { ConsecutiveFailure, RecordedAttempt } from '../../db/repositories/webhooks/attempts';

interface LatestSuccess {
  at: number;
  /** Whether later failures of the endpoint were already written. */
  isOld: boolean;
}

const maxTrackedEndpoints = 10_000;

/**
 * Determines which failures are consecutive. Successes are written to Postgres with a delay; until then a process uses
 * the successes it has seen itself.
 */
export class ConsecutiveFailures {
  private readonly latest = new Map<string, LatestSuccess>();

  /** Records a successful attempt of this process. */
  recordSuccess({ endpoint_id, ended_at }: Pick<RecordedAttempt, 'endpoint_id' | 'ended_at'>): void {
    const before = this.latest.get(endpoint_id)?.at ?? 0;
    this.latest.delete(endpoint_id);
    this.latest.set(endpoint_id, { at: Math.max(before, ended_at.getTime()), isOld: false });
    const [oldest] = this.latest.keys();
    if (this.latest.size > maxTrackedEndpoints && oldest !== undefined) this.latest.delete(oldest);
  }

  /** Returns the failures of a group, each with its position relative to the successes. */
  mark(failures: readonly RecordedAttempt[]): ConsecutiveFailure[] {
    const marked = failures.map((failure) => {
      const success = this.latest.get(failure.endpoint_id);
      return { ...failure, since_success: success === undefined || failure.ended_at.getTime() > success.at, success_between: success?.isOld === false };
    });
    for (const { endpoint_id } of failures) {
      const success = this.latest.get(endpoint_id);
      if (success !== undefined) success.isOld = true;
    }
    return marked;
  }
}
