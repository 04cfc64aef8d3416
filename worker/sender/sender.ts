import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../config/logger';
import { settlesWithin } from '../../lib/timeout';
import { onClock } from '../../domain/clock';
import type { Domain } from '../../domain/context';
import { classifyAttempt, type AttemptOutcome } from '../../domain/webhooks/classifyAttempt';
import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { endLapsedDeliveries, endPrunedDelivery } from '../../domain/webhooks/endWithoutAttempt';
import { reconcileDeliveries } from '../../domain/webhooks/reconcileDeliveries';
import { deliveryWindowMs } from '../../domain/webhooks/retrySchedule';
import { DatabaseClock } from '../../db/databaseClock';
import type { Sql } from '../../db/statement';
import { openBacklogs } from '../../db/repositories/webhooks/backlog';
import type { EndpointReference, PendingEndpoint } from '../../db/repositories/webhooks/endpoints';
import { fanOutEvents, fanOutInstitution, type FanOutResult } from '../../db/repositories/webhooks/fanOut';
import { addPendingClockPauses } from '../../db/repositories/webhooks/clockPauses';
import { claimPendingDeliveries, listEndpointsWithPending, type ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import type { WebhookClient } from '../../outbound/webhooks/webhookClient';
import type { WorkerMetrics } from '../metrics';
import { postDelivery } from '../../activities/webhooks/postDelivery';
import { isLockTimeout } from '../../db/lockTimeout';
import { createBatchWriter } from './batchWriter';
import { EndpointConcurrency, type AttemptSignal } from './endpointConcurrency';
import { startLimitedClaims } from './limitedClaims';
import { SkippedInstitutions } from './skippedInstitutions';
import { createRecorder } from './recorder';
import { startRepeatingTask } from '../../lib/repeatingTask';
import { startQueueStart } from '../queueStart';

const eventBatchSize = 500;
/**
 * Interval between the beginnings of two fan-outs, in ms, for each event of the first one, up to the maximum: the busier it
 * is the more events a fan-out takes together, and an event in a quiet time waits for nothing.
 */
const fanOutMsPerEvent = 4;
const maxFanOutIntervalMs = 12;
const pollIntervalMs = 500;
/** A poll takes long while an old snapshot is open; the next one then waits for so many times as long. */
const waitPerPoll = 20;
const leaseCheckIntervalMs = 5_000;
const reconcileIntervalMs = 60_000;
const quickMs = 1_000;

/** The sender of a worker: fans events out and makes the first attempts. */
export interface Sender {
  /** Signals that there may be new events; returns immediately. */
  wakeForEvents(): void;
  /** Signals that deliveries may wait without a new event, after a replay or a resume. Returns immediately. */
  wakeForDeliveries(): void;
  /** Claims nothing more, waits at most `timeoutMs` for the attempts in flight and records them; another worker takes the remaining ones after their lease. */
  stop(timeoutMs: number): Promise<void>;
}

export interface SenderDeps {
  domain: Domain;
  /** The pool for the sender's statements, which process groups of rows. */
  sql: Sql;
  client: WebhookClient;
  logger: Logger;
  metrics: Pick<WorkerMetrics, 'observeAttempts'>;
  /** Called when a group of attempts has appended to the outbox. */
  onOutboxAppended: () => void;
}

function attemptSignal({ ok, durationMs, errorClass }: AttemptOutcome): AttemptSignal {
  if (ok) return durationMs <= quickMs ? 'quick' : 'slow';
  return errorClass === 'timeout' || errorClass === 'connect' ? 'refused' : 'slow';
}

const laterOf = (one: Date | undefined, other: Date): Date => (one !== undefined && one > other ? one : other);

const ownerOf = ({ endpoint_id, institution_id }: ClaimedDelivery): EndpointReference => ({ endpointId: endpoint_id, institutionId: institution_id });

/** Starts the loops. Errors of a store are logged and retried in the next round. */
export function startSender({ domain, sql, client, logger, metrics, onOutboxAppended }: SenderDeps): Sender {
  const { secrets } = domain;
  const claimedBy = randomUUID();
  const clock = new DatabaseClock();
  const endpointConcurrency = new EndpointConcurrency();
  const waitingEndpoints = new Map<string, PendingEndpoint>();
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  const recorder = createRecorder(sql, claimedBy, {
    onWritten: (group) => {
      metrics.observeAttempts(group);
      for (const attempt of group) {
        disableGoneEndpoint(domain, attempt).catch((error: unknown) => logger.error({ err: error }, 'an endpoint that responded 410 could not be disabled'));
      }
    },
    onFailureSettled: ({ endpoint_id }) => {
      if (endpointConcurrency.removeUnwrittenFailure(endpoint_id)) wakeForFreeSlots();
    },
    onOutboxAppended,
    onReleased: () => pollLoop.wake(),
    onError: (error) => logger.error({ err: error }, 'attempts could not be written'),
    isStopping: () => stopping,
  });

  const attempt = async (delivery: ClaimedDelivery): Promise<void> => {
    const startedAt = onClock({ clockOffsetMs: delivery.clock_offset_ms }, clock.now());
    const outcome = await postDelivery(client, secrets, delivery, startedAt).catch((error: unknown) => {
      endpointConcurrency.release(ownerOf(delivery), 'slow');
      throw error;
    });
    endpointConcurrency.release(ownerOf(delivery), attemptSignal(outcome));
    const recorded = classifyAttempt(delivery, 'schedule', startedAt, outcome, Math.random());
    if (recorded.status !== 'delivered') endpointConcurrency.addUnwrittenFailure(delivery.endpoint_id);
    recorder.add(recorded);
    wakeForFreeSlots();
  };

  const wakeForFreeSlots = (): void => {
    if (waitingEndpoints.size > 0) claimLoop.wake();
    limitedClaims.wakeForFreeSlots();
  };

  const begin = (delivery: ClaimedDelivery): void => {
    if (delivery.traced_body === null) {
      endPrunedDelivery(domain, delivery).catch((error: unknown) => logger.error({ err: error }, 'a delivery without an event could not be ended'));
      return;
    }
    endpointConcurrency.acquire(ownerOf(delivery));
    const running = attempt(delivery)
      .catch((error: unknown) => logger.error({ err: error, delivery_id: delivery.id }, 'an attempt failed unexpectedly'))
      .finally(() => underWay.delete(running));
    underWay.add(running);
  };

  const beginAll = (claimed: readonly ClaimedDelivery[]): void => {
    for (const { claimed_at } of claimed) clock.observe(claimed_at);
    for (const delivery of claimed) begin(delivery);
  };

  const claim = async (): Promise<void> => {
    const owners = [...waitingEndpoints.values()];
    const freeSlots = endpointConcurrency.freeSlots(owners);
    if (freeSlots.size === 0) return;
    // Removed before the query, so that deliveries fanned out during it are added again.
    for (const id of freeSlots.keys()) waitingEndpoints.delete(id);
    const since = new Map(owners.map((owner) => [owner.endpointId, owner.since]));
    const claimed = await claimPendingDeliveries(sql, freeSlots, claimedBy, deliveryWindowMs, { since });
    const taken = new Map<string, number>();
    for (const { endpoint_id, event_created_at } of claimed) {
      taken.set(endpoint_id, (taken.get(endpoint_id) ?? 0) + 1);
      since.set(endpoint_id, laterOf(since.get(endpoint_id), event_created_at));
    }
    beginAll(claimed);
    // An endpoint that used all its slots has more; it is appended after the others, so that endpoints alternate.
    for (const owner of owners) if (taken.get(owner.endpointId) === freeSlots.get(owner.endpointId)) addWaiting({ ...owner, since: since.get(owner.endpointId) ?? owner.since });
    if (waitingEndpoints.size > 0 && endpointConcurrency.freeSlots(waitingEndpoints.values()).size > 0) claimLoop.wake();
  };

  const addWaiting = (endpoint: PendingEndpoint): void => {
    if (endpoint.rateLimit !== null) {
      limitedClaims.add(endpoint);
      return;
    }
    const known = waitingEndpoints.get(endpoint.endpointId);
    if (known === undefined) waitingEndpoints.set(endpoint.endpointId, endpoint);
    else if (endpoint.since < known.since) known.since = endpoint.since;
  };

  const addAllWaiting = (endpoints: readonly PendingEndpoint[]): void => {
    for (const endpoint of endpoints) addWaiting(endpoint);
    if (waitingEndpoints.size > 0) claimLoop.wake();
  };

  let nextFanOutAt = 0;
  const skippedInstitutions = new SkippedInstitutions();
  let retryTimer: NodeJS.Timeout | undefined;
  const handleFannedOut = ({ endpoints, unattended }: FanOutResult): void => {
    addAllWaiting(endpoints);
    for (const endpointId of unattended) backlogOpener.add(endpointId);
  };
  const fanOut = async (): Promise<void> => {
    const waitMs = nextFanOutAt - performance.now();
    if (waitMs > 0) await pause(waitMs);
    const begunAt = performance.now();
    const left = skippedInstitutions.excluded(performance.now());
    const fannedOut = await fanOutEvents(sql, eventBatchSize, deliveryWindowMs, left, queueStart.after());
    const { seen, events, locked } = fannedOut;
    nextFanOutAt = begunAt + Math.min(events * fanOutMsPerEvent, maxFanOutIntervalMs);
    skippedInstitutions.recordResult(locked, left, performance.now());
    handleFannedOut(fannedOut);
    // There are more, and not all are skipped; together with the skipped ones each institution gets its part.
    if ((seen === eventBatchSize || left.length > 0) && events + locked.length > 0) fanOutLoop.wake();
    if (skippedInstitutions.awaitingLock().length > 0) lockWaitLoop.wake();
    clearTimeout(retryTimer);
    const nextTryMs = skippedInstitutions.nextRetryMs(performance.now());
    if (nextTryMs !== undefined && !stopping) retryTimer = setTimeout(() => fanOutLoop.wake(), nextTryMs);
  };

  // One after the other, each for as long as its locks take; events of other institutions do not wait for it.
  const fanOutWaitingForLocks = async (): Promise<void> => {
    for (const id of skippedInstitutions.awaitingLock()) {
      const fannedOut = await fanOutInstitution(sql, eventBatchSize, deliveryWindowMs, id).catch((error: unknown) => {
        if (isLockTimeout(error)) return undefined;
        throw error;
      });
      if (fannedOut === undefined || stopping) continue;
      handleFannedOut(fannedOut);
      if (fannedOut.locked.length > 0 || fannedOut.seen === eventBatchSize) continue;
      skippedInstitutions.clear(id);
      // Skipped events may have arrived in between.
      fanOutLoop.wake();
    }
    if (skippedInstitutions.awaitingLock().length > 0) lockWaitLoop.wake();
  };

  const findWaitingEndpoints = async (): Promise<void> => addAllWaiting(await listEndpointsWithPending(sql));

  const onError = (error: unknown): void => logger.error({ err: error }, 'the sender could not reach postgres');
  // Not awaited by the fan-out: a lock on one of these endpoints delays its backlog and no events.
  const backlogOpener = createBatchWriter<string>({
    write: async (endpointIds) => {
      if ((await openBacklogs(sql, endpointIds)) > 0) onOutboxAppended();
    },
    onError,
    isStopping: () => stopping,
    lockKey: (endpointId) => endpointId,
  });
  const limitedClaims = startLimitedClaims({ sql, claimedBy, endpointConcurrency, begin: beginAll, onUnlimited: (endpoint) => addAllWaiting([{ ...endpoint, since: new Date(0) }]), onError });
  const queueStart = startQueueStart(sql, 'event_queue', { onReturned: () => fanOutLoop.wake(), onError });
  const claimLoop = startRepeatingTask(claim, { everyMs: pollIntervalMs, onError });
  const fanOutLoop = startRepeatingTask(fanOut, { everyMs: pollIntervalMs, onError });
  const lockWaitLoop = startRepeatingTask(fanOutWaitingForLocks, { everyMs: pollIntervalMs, onError });
  const pollLoop = startRepeatingTask(findWaitingEndpoints, { everyMs: (lastMs) => Math.max(pollIntervalMs, lastMs * waitPerPoll), onError });
  const expiredLeaseLoop = startRepeatingTask(() => endLapsedDeliveries(domain, sql), { everyMs: leaseCheckIntervalMs, onError });
  const clockPauseLoop = startRepeatingTask(() => addPendingClockPauses(sql), { everyMs: leaseCheckIntervalMs, onError });
  const reconcileLoop = startRepeatingTask(
    async () => {
      await reconcileDeliveries(domain, await clock.read(sql));
      pollLoop.wake();
    },
    { everyMs: reconcileIntervalMs, onError },
  );

  const endAll = async (): Promise<void> => {
    await Promise.all([queueStart, limitedClaims, claimLoop, fanOutLoop, lockWaitLoop, pollLoop, expiredLeaseLoop, clockPauseLoop, reconcileLoop].map((loop) => loop.stop()));
    await Promise.allSettled(underWay);
    await Promise.all([recorder.flush(), backlogOpener.flush()]);
  };
  return {
    wakeForEvents: () => fanOutLoop.wake(),
    wakeForDeliveries: () => {
      pollLoop.wake();
      clockPauseLoop.wake();
    },
    stop: async (timeoutMs) => {
      const ended = await settlesWithin(timeoutMs, endAll());
      // Until here failed writes were retried: an attempt that is not recorded is made twice.
      stopping = true;
      clearTimeout(retryTimer);
      if (!ended) logger.warn('the sender did not end in time and is abandoned');
    },
  };
}
