import type { Database } from '../../db/database';
import { noteEndpointHealth, recordAttempts, type EndpointHealth, type RecordedAttempt } from '../../db/repositories/sending';

const mostAtOnce = 500;
const retryPauseMs = 250;

/** Writes attempts in groups: while one group is being written the next one gathers. */
export interface Recorder {
  add(attempt: RecordedAttempt): void;
  /** Resolves when everything added so far is written. */
  flushed(): Promise<void>;
}

/** What a group says of each endpoint's health. */
export function healthOf(attempts: readonly RecordedAttempt[]): EndpointHealth[] {
  const byEndpoint = new Map<string, EndpointHealth>();
  for (const { endpoint_id, status, ended_at } of attempts) {
    const health = byEndpoint.get(endpoint_id) ?? { endpoint_id, last_success_at: null, last_failure_at: null, failures: 0 };
    byEndpoint.set(endpoint_id, health);
    if (status === 'delivered') {
      health.last_success_at = ended_at;
      health.failures = 0;
    } else {
      health.last_failure_at = ended_at;
      health.failures += 1;
    }
  }
  // In one order everywhere, so that two writers cannot wait for each other.
  return [...byEndpoint.values()].sort((a, b) => (a.endpoint_id < b.endpoint_id ? -1 : 1));
}

/**
 * A recorder for one claimer. A group that Postgres does not take is tried again until it does or `isStopping`;
 * what is not written then falls back to pending when its lease lapses. `onWritten` is told of each group.
 */
export function createRecorder(
  database: Database,
  claimedBy: string,
  hooks: { onWritten: (attempts: readonly RecordedAttempt[]) => void; onError: (error: unknown) => void; isStopping: () => boolean },
): Recorder {
  const waiting: RecordedAttempt[] = [];
  let writing: Promise<void> | undefined;

  const write = async (group: readonly RecordedAttempt[]): Promise<void> => {
    for (;;) {
      try {
        await recordAttempts(database.sql, group, claimedBy);
        await noteEndpointHealth(database.sql, healthOf(group));
        return;
      } catch (error) {
        hooks.onError(error);
        if (hooks.isStopping()) return;
        await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
      }
    }
  };
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.splice(0, mostAtOnce);
      await write(group);
      hooks.onWritten(group);
    }
    writing = undefined;
  };
  return {
    add: (attempt) => {
      waiting.push(attempt);
      writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(drain);
    },
    flushed: async () => {
      while (writing !== undefined) await writing;
    },
  };
}
