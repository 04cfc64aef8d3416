import type { ConsecutiveFailure, RecordedAttempt } from '../../db/repositories/webhooks/attempts';

interface LatestSuccess {
  at: number;
  /** Whether failures of the endpoint were written since. */
  isOld: boolean;
}

const maxTrackedEndpoints = 10_000;

/**
 * Tells which failures are in a row. Successes are kept in Postgres some moments after they happened; between them and the
 * failures that follow a process goes by what it has seen itself.
 */
export class ConsecutiveFailures {
  private readonly latest = new Map<string, LatestSuccess>();

  /** An attempt of this process has succeeded. */
  recordSuccess({ endpoint_id, ended_at }: Pick<RecordedAttempt, 'endpoint_id' | 'ended_at'>): void {
    const before = this.latest.get(endpoint_id)?.at ?? 0;
    this.latest.delete(endpoint_id);
    this.latest.set(endpoint_id, { at: Math.max(before, ended_at.getTime()), isOld: false });
    const [oldest] = this.latest.keys();
    if (this.latest.size > maxTrackedEndpoints && oldest !== undefined) this.latest.delete(oldest);
  }

  /** The failures of a group, each with where it stands among the successes. */
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
