import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../config/logger';
import { settlesWithin } from '../../config/shutdown';
import type { Domain } from '../../domain/context';
import { classifyAttempt } from '../../domain/webhooks/classifyAttempt';
import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { endLapsedDeliveries, endPrunedDelivery } from '../../domain/webhooks/endWithoutAttempt';
import { reconcileDeliveries } from '../../domain/webhooks/reconcileDeliveries';
import { deliveryWindowMs } from '../../domain/webhooks/retrySchedule';
import { DatabaseClock } from '../../db/databaseClock';
import type { Sql } from '../../db/statement';
import { openBacklogs } from '../../db/repositories/webhooks/backlog';
import type { EndpointReference } from '../../db/repositories/webhooks/endpoints';
import { fanOutEvents, fanOutInstitution, type FanOutResult } from '../../db/repositories/webhooks/fanOut';
import { addPendingClockPauses } from '../../db/repositories/webhooks/clockPauses';
import { claimPendingDeliveries, listEndpointsWithPending, type ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import type { AttemptOutcome, WebhookClient } from '../../outbound/webhooks/webhookClient';
import type { WorkerMetrics } from '../metrics';
import { postDelivery } from '../../activities/webhooks/postDelivery';
import { createBatchWriter, isLockTimeout } from './batchWriter';
import { EndpointConcurrency, type AttemptSignal } from './endpointConcurrency';
import { SkippedInstitutions } from './skippedInstitutions';
import { createRecorder } from './recorder';
import { startRepeatingTask } from '../../lib/repeatingTask';

const eventBatchSize = 500;
/** Events that follow others sooner than this gather for as long, in ms: at hundreds a second each would else cost three statements. */
const eventBatchDelayMs = 4;
const pollIntervalMs = 500;
const leaseCheckIntervalMs = 5_000;
const reconcileIntervalMs = 60_000;
const quickMs = 1_000;

/** The sender of a worker: fans events out and makes the first attempts. */
export interface Sender {
  /** There may be new events; returns at once. */
  wakeForEvents(): void;
  /** There may be deliveries to be sent that no event has just caused: of a replay or a resume. Returns at once. */
  wakeForDeliveries(): void;
  /** Takes nothing more, lets the attempts in flight end and writes them, for `timeoutMs` at most; what is left falls to another worker once its lease lapses. */
  stop(timeoutMs: number): Promise<void>;
}

export interface SenderDeps {
  domain: Domain;
  /** Where the sender's statements run, which move groups of rows. */
  sql: Sql;
  client: WebhookClient;
  logger: Logger;
  metrics: Pick<WorkerMetrics, 'observeAttempts'>;
  /** Told when a group of attempts owes workflows. */
  onOutboxAppended: () => void;
}

function attemptSignal({ ok, durationMs, errorClass }: AttemptOutcome): AttemptSignal {
  if (ok) return durationMs <= quickMs ? 'quick' : 'slow';
  return errorClass === 'timeout' || errorClass === 'connect' ? 'refused' : 'slow';
}

const ownerOf = ({ endpoint_id, institution_id }: ClaimedDelivery): EndpointReference => ({ endpointId: endpoint_id, institutionId: institution_id });

/** Starts the loops. What goes wrong with a store is logged and tried again at the next look. */
export function startSender({ domain, sql, client, logger, metrics, onOutboxAppended }: SenderDeps): Sender {
  const { secrets } = domain;
  const claimedBy = randomUUID();
  const clock = new DatabaseClock();
  const endpointConcurrency = new EndpointConcurrency();
  const waitingEndpoints = new Map<string, EndpointReference>();
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  const recorder = createRecorder(sql, claimedBy, {
    onWritten: (group) => {
      metrics.observeAttempts(group);
      for (const attempt of group) {
        disableGoneEndpoint(domain, attempt).catch((error: unknown) => logger.error({ err: error }, 'an endpoint that is gone was not disabled'));
      }
    },
    onOutboxAppended,
    onReleased: () => pollLoop.wake(),
    onError: (error) => logger.error({ err: error }, 'attempts were not written'),
    isStopping: () => stopping,
  });

  const attempt = async (delivery: ClaimedDelivery): Promise<void> => {
    const startedAt = clock.now();
    const outcome = await postDelivery(client, secrets, delivery, startedAt).catch((error: unknown) => {
      endpointConcurrency.release(ownerOf(delivery), 'slow');
      throw error;
    });
    endpointConcurrency.release(ownerOf(delivery), attemptSignal(outcome));
    recorder.add(classifyAttempt(delivery, 'schedule', startedAt, outcome, Math.random()));
    if (waitingEndpoints.size > 0) claimLoop.wake();
  };

  const begin = (delivery: ClaimedDelivery): void => {
    if (delivery.body === null) {
      endPrunedDelivery(domain, delivery).catch((error: unknown) => logger.error({ err: error }, 'a delivery without event stays'));
      return;
    }
    endpointConcurrency.acquire(ownerOf(delivery));
    const running = attempt(delivery)
      .catch((error: unknown) => logger.error({ err: error, delivery_id: delivery.id }, 'an attempt broke off'))
      .finally(() => underWay.delete(running));
    underWay.add(running);
  };

  const claim = async (): Promise<void> => {
    const owners = [...waitingEndpoints.values()];
    const freeSlots = endpointConcurrency.freeSlots(owners);
    if (freeSlots.size === 0) return;
    // Forgotten before the query: what is fanned out meanwhile is wanted anew.
    for (const id of freeSlots.keys()) waitingEndpoints.delete(id);
    const claimed = await claimPendingDeliveries(sql, freeSlots, claimedBy, deliveryWindowMs);
    const taken = new Map<string, number>();
    for (const { claimed_at } of claimed) clock.observe(claimed_at);
    for (const delivery of claimed) {
      taken.set(delivery.endpoint_id, (taken.get(delivery.endpoint_id) ?? 0) + 1);
      begin(delivery);
    }
    // One that came back full has more; it stands behind the others now, so that endpoints take turns.
    for (const owner of owners) if (taken.get(owner.endpointId) === freeSlots.get(owner.endpointId)) addWaiting(owner);
    if (waitingEndpoints.size > 0 && endpointConcurrency.freeSlots(waitingEndpoints.values()).size > 0) claimLoop.wake();
  };

  const addWaiting = (endpoint: EndpointReference): void => {
    if (!waitingEndpoints.has(endpoint.endpointId)) waitingEndpoints.set(endpoint.endpointId, endpoint);
  };

  const addAllWaiting = (endpoints: readonly EndpointReference[]): void => {
    for (const endpoint of endpoints) addWaiting(endpoint);
    if (endpoints.length > 0) claimLoop.wake();
  };

  let fannedOutAt = 0;
  const skippedInstitutions = new SkippedInstitutions();
  let retryTimer: NodeJS.Timeout | undefined;
  const handleFannedOut = ({ endpoints, unattended }: FanOutResult): void => {
    addAllWaiting(endpoints);
    for (const endpointId of unattended) backlogOpener.add(endpointId);
  };
  const fanOut = async (): Promise<void> => {
    if (performance.now() - fannedOutAt < eventBatchDelayMs) await pause(eventBatchDelayMs);
    const left = skippedInstitutions.excluded(performance.now());
    const fannedOut = await fanOutEvents(sql, eventBatchSize, deliveryWindowMs, left);
    const { seen, events, locked } = fannedOut;
    if (events > 0) fannedOutAt = performance.now();
    skippedInstitutions.recordResult(locked, left, performance.now());
    handleFannedOut(fannedOut);
    // There are more, and they are not all passed over; beside those that are, each gives a share of what is asked for.
    if ((seen === eventBatchSize || left.length > 0) && events + locked.length > 0) fanOutLoop.wake();
    if (skippedInstitutions.awaitingLock().length > 0) lockWaitLoop.wake();
    clearTimeout(retryTimer);
    const nextTryMs = skippedInstitutions.nextRetryMs(performance.now());
    if (nextTryMs !== undefined && !stopping) retryTimer = setTimeout(() => fanOutLoop.wake(), nextTryMs);
  };

  // One after the other, each for as long as its locks take; nobody else's events wait meanwhile.
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
      // What came meanwhile was passed over.
      fanOutLoop.wake();
    }
    if (skippedInstitutions.awaitingLock().length > 0) lockWaitLoop.wake();
  };

  const findWaitingEndpoints = async (): Promise<void> => addAllWaiting(await listEndpointsWithPending(sql));

  const onError = (error: unknown): void => logger.error({ err: error }, 'the sender could not reach its store');
  // Not awaited by the fan-out: who locks one of these endpoints delays its backlog and no events.
  const backlogOpener = createBatchWriter<string>({
    write: async (endpointIds) => {
      if ((await openBacklogs(sql, endpointIds)) > 0) onOutboxAppended();
    },
    onError,
    isStopping: () => stopping,
    lockKey: (endpointId) => endpointId,
  });
  const claimLoop = startRepeatingTask(claim, { everyMs: pollIntervalMs, onError });
  const fanOutLoop = startRepeatingTask(fanOut, { everyMs: pollIntervalMs, onError });
  const lockWaitLoop = startRepeatingTask(fanOutWaitingForLocks, { everyMs: pollIntervalMs, onError });
  const pollLoop = startRepeatingTask(findWaitingEndpoints, { everyMs: pollIntervalMs, onError });
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
    await Promise.all([claimLoop, fanOutLoop, lockWaitLoop, pollLoop, expiredLeaseLoop, clockPauseLoop, reconcileLoop].map((loop) => loop.stop()));
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
      // Until now what Postgres refused was tried again: an attempt that is not written is made twice.
      stopping = true;
      clearTimeout(retryTimer);
      if (!ended) logger.warn('the sender has not ended in time; it is given up');
    },
  };
}
