import { setTimeout as pause } from 'node:timers/promises';
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
  const unnoted: RecordedAttempt[] = [];
  let writing: Promise<void> | undefined;
  let noting: Promise<void> | undefined;

  const write = async (group: readonly RecordedAttempt[]): Promise<boolean> => {
    for (;;) {
      try {
        await recordAttempts(database.sql, group, claimedBy);
        return true;
      } catch (error) {
        hooks.onError(error);
        if (hooks.isStopping()) return false;
        await pause(retryPauseMs);
      }
    }
  };
  // Apart from the records, which a locked endpoint must not keep waiting; what cannot be noted is logged and let go.
  const note = async (): Promise<void> => {
    while (unnoted.length > 0) await noteEndpointHealth(database.sql, healthOf(unnoted.splice(0))).catch(hooks.onError);
    noting = undefined;
  };
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.splice(0, mostAtOnce);
      if (!(await write(group))) continue;
      hooks.onWritten(group);
      unnoted.push(...group);
      noting ??= note();
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
      await noting;
    },
  };
}
