import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../config/logger';
import { endsWithin } from '../../config/shutdown';
import type { Domain } from '../../domain/context';
import { judgeAttempt } from '../../domain/webhooks/classifyAttempt';
import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { endLapsed, endPruned } from '../../domain/webhooks/endWithoutAttempt';
import { mendStrays } from '../../domain/webhooks/reconcileDeliveries';
import { deliveryWindowMs } from '../../domain/webhooks/retrySchedule';
import type { Sql } from '../../db/statement';
import { openBacklogs } from '../../db/repositories/webhooks/backlog';
import type { EndpointReference } from '../../db/repositories/webhooks/endpoints';
import { fanOutEvents, fanOutInstitution, type FannedOut } from '../../db/repositories/webhooks/fanOut';
import { addOwedRests } from '../../db/repositories/webhooks/clockPauses';
import { claimPendingDeliveries, endpointsWaiting, type ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import type { AttemptOutcome, WebhookClient } from '../../outbound/webhooks/webhookClient';
import type { WorkerMetrics } from '../metrics';
import { postDelivery } from '../../activities/webhooks/postDelivery';
import { createBatches, isLocked } from './batchWriter';
import { DatabaseClock } from './databaseClock';
import { Lanes, type LaneSignal } from './endpointConcurrency';
import { PassedOver } from './skippedInstitutions';
import { createRecorder } from './recorder';
import { repeating } from '../../lib/repeatingTask';

const eventsAtOnce = 500;
/** Events that follow others sooner than this gather for as long, in ms: at hundreds a second each would else cost three statements. */
const gatherMs = 4;
const lookEveryMs = 500;
const lapsedEveryMs = 5_000;
const straysEveryMs = 60_000;
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

export interface SenderParts {
  domain: Domain;
  /** Where the sender's statements run, which move groups of rows. */
  sql: Sql;
  client: WebhookClient;
  logger: Logger;
  metrics: Pick<WorkerMetrics, 'observeAttempts'>;
  /** Told when a group of attempts owes workflows. */
  onOwed: () => void;
}

function laneSignal({ ok, durationMs, errorClass }: AttemptOutcome): LaneSignal {
  if (ok) return durationMs <= quickMs ? 'quick' : 'slow';
  return errorClass === 'timeout' || errorClass === 'connect' ? 'refused' : 'slow';
}

const ownerOf = ({ endpoint_id, institution_id }: ClaimedDelivery): EndpointReference => ({ endpointId: endpoint_id, institutionId: institution_id });

/** Starts the loops. What goes wrong with a store is logged and tried again at the next look. */
export function startSender({ domain, sql, client, logger, metrics, onOwed }: SenderParts): Sender {
  const { secrets } = domain;
  const claimedBy = randomUUID();
  const clock = new DatabaseClock();
  const lanes = new Lanes();
  const wanted = new Map<string, EndpointReference>();
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  const recorder = createRecorder(sql, claimedBy, {
    onWritten: (group) => {
      metrics.observeAttempts(group);
      for (const attempt of group) {
        disableGoneEndpoint(domain, attempt).catch((error: unknown) => logger.error({ err: error }, 'an endpoint that is gone was not disabled'));
      }
    },
    onOwed,
    onReleased: () => looking.wake(),
    onError: (error) => logger.error({ err: error }, 'attempts were not written'),
    isStopping: () => stopping,
  });

  const attempt = async (delivery: ClaimedDelivery): Promise<void> => {
    const startedAt = clock.now();
    const outcome = await postDelivery(client, secrets, delivery, startedAt).catch((error: unknown) => {
      lanes.release(ownerOf(delivery), 'slow');
      throw error;
    });
    lanes.release(ownerOf(delivery), laneSignal(outcome));
    recorder.add(judgeAttempt(delivery, 'schedule', startedAt, outcome, Math.random()));
    if (wanted.size > 0) claiming.wake();
  };

  const begin = (delivery: ClaimedDelivery): void => {
    if (delivery.body === null) {
      endPruned(domain, delivery).catch((error: unknown) => logger.error({ err: error }, 'a delivery without event stays'));
      return;
    }
    lanes.take(ownerOf(delivery));
    const running = attempt(delivery)
      .catch((error: unknown) => logger.error({ err: error, delivery_id: delivery.id }, 'an attempt broke off'))
      .finally(() => underWay.delete(running));
    underWay.add(running);
  };

  const claim = async (): Promise<void> => {
    const owners = [...wanted.values()];
    const rooms = lanes.rooms(owners);
    if (rooms.size === 0) return;
    // Forgotten before the query: what is fanned out meanwhile is wanted anew.
    for (const id of rooms.keys()) wanted.delete(id);
    const claimed = await claimPendingDeliveries(sql, rooms, claimedBy, deliveryWindowMs);
    const taken = new Map<string, number>();
    for (const { claimed_at } of claimed) clock.observe(claimed_at);
    for (const delivery of claimed) {
      taken.set(delivery.endpoint_id, (taken.get(delivery.endpoint_id) ?? 0) + 1);
      begin(delivery);
    }
    // One that came back full has more; it stands behind the others now, so that endpoints take turns.
    for (const owner of owners) if (taken.get(owner.endpointId) === rooms.get(owner.endpointId)) want(owner);
    if (wanted.size > 0 && lanes.rooms(wanted.values()).size > 0) claiming.wake();
  };

  const want = (endpoint: EndpointReference): void => {
    if (!wanted.has(endpoint.endpointId)) wanted.set(endpoint.endpointId, endpoint);
  };

  const wantAll = (endpoints: readonly EndpointReference[]): void => {
    for (const endpoint of endpoints) want(endpoint);
    if (endpoints.length > 0) claiming.wake();
  };

  let fannedOutAt = 0;
  const passedOver = new PassedOver();
  let trying: NodeJS.Timeout | undefined;
  const begun = ({ endpoints, unattended }: FannedOut): void => {
    wantAll(endpoints);
    for (const endpointId of unattended) attending.add(endpointId);
  };
  const fanOut = async (): Promise<void> => {
    if (performance.now() - fannedOutAt < gatherMs) await pause(gatherMs);
    const left = passedOver.waiting(performance.now());
    const fannedOut = await fanOutEvents(sql, eventsAtOnce, deliveryWindowMs, left);
    const { seen, events, locked } = fannedOut;
    if (events > 0) fannedOutAt = performance.now();
    passedOver.note(locked, left, performance.now());
    begun(fannedOut);
    // There are more, and they are not all passed over; beside those that are, each gives a share of what is asked for.
    if ((seen === eventsAtOnce || left.length > 0) && events + locked.length > 0) fanning.wake();
    if (passedOver.stubborn().length > 0) insisting.wake();
    clearTimeout(trying);
    const nextTryMs = passedOver.nextTryMs(performance.now());
    if (nextTryMs !== undefined && !stopping) trying = setTimeout(() => fanning.wake(), nextTryMs);
  };

  // One after the other, each for as long as its locks take; nobody else's events wait meanwhile.
  const insist = async (): Promise<void> => {
    for (const id of passedOver.stubborn()) {
      const fannedOut = await fanOutInstitution(sql, eventsAtOnce, deliveryWindowMs, id).catch((error: unknown) => {
        if (isLocked(error)) return undefined;
        throw error;
      });
      if (fannedOut === undefined || stopping) continue;
      begun(fannedOut);
      if (fannedOut.locked.length > 0 || fannedOut.seen === eventsAtOnce) continue;
      passedOver.got(id);
      // What came meanwhile was passed over.
      fanning.wake();
    }
    if (passedOver.stubborn().length > 0) insisting.wake();
  };

  const look = async (): Promise<void> => wantAll(await endpointsWaiting(sql));

  const onError = (error: unknown): void => logger.error({ err: error }, 'the sender could not reach its store');
  // Not awaited by the fan-out: who locks one of these endpoints delays its backlog and no events.
  const attending = createBatches<string>({
    write: async (endpointIds) => {
      if ((await openBacklogs(sql, endpointIds)) > 0) onOwed();
    },
    onError,
    isStopping: () => stopping,
    lockedWith: (endpointId) => endpointId,
  });
  const claiming = repeating(claim, { everyMs: lookEveryMs, onError });
  const fanning = repeating(fanOut, { everyMs: lookEveryMs, onError });
  const insisting = repeating(insist, { everyMs: lookEveryMs, onError });
  const looking = repeating(look, { everyMs: lookEveryMs, onError });
  const releasing = repeating(() => endLapsed(domain, sql), { everyMs: lapsedEveryMs, onError });
  const moving = repeating(() => addOwedRests(sql), { everyMs: lapsedEveryMs, onError });
  const mending = repeating(
    async () => {
      await mendStrays(domain, new Date());
      looking.wake();
    },
    { everyMs: straysEveryMs, onError },
  );

  const endAll = async (): Promise<void> => {
    await Promise.all([claiming, fanning, insisting, looking, releasing, moving, mending].map((loop) => loop.stop()));
    await Promise.allSettled(underWay);
    await Promise.all([recorder.flushed(), attending.flushed()]);
  };
  return {
    wakeForEvents: () => fanning.wake(),
    wakeForDeliveries: () => {
      looking.wake();
      moving.wake();
    },
    stop: async (timeoutMs) => {
      const ended = await endsWithin(timeoutMs, endAll());
      // Until now what Postgres refused was tried again: an attempt that is not written is made twice.
      stopping = true;
      clearTimeout(trying);
      if (!ended) logger.warn('the sender has not ended in time; it is given up');
    },
  };
}
