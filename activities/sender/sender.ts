import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../config/logger';
import type { Domain } from '../../domain/context';
import { judgeAttempt } from '../../domain/webhooks/attempts';
import { disableGoneEndpoint } from '../../domain/webhooks/disableEndpoint';
import { endLapsed, endPruned } from '../../domain/webhooks/endWithoutAttempt';
import { mendStrays } from '../../domain/webhooks/mendStrays';
import { deliveryWindowMs } from '../../domain/webhooks/retrySchedule';
import type { Sql } from '../../db/statement';
import { openBacklogs } from '../../db/repositories/backlog';
import type { EndpointReference } from '../../db/repositories/endpoints';
import { claimPendingDeliveries, endpointsWaiting, fanOutEvents, type ClaimedDelivery } from '../../db/repositories/sending';
import type { AttemptOutcome, WebhookClient } from '../../outbound/webhooks/webhookClient';
import type { WorkerMetrics } from '../metrics';
import { postDelivery } from '../webhooks/postDelivery';
import { Lanes, type LaneSignal } from './lanes';
import { createRecorder } from './recorder';
import { repeating } from './repeating';

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
  /** Takes nothing more, lets the attempts in flight end and writes them. */
  stop(): Promise<void>;
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
    const startedAt = new Date();
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
    const claimed = await claimPendingDeliveries(sql, rooms, claimedBy, new Date(), deliveryWindowMs);
    const taken = new Map<string, number>();
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
  const fanOut = async (): Promise<void> => {
    if (performance.now() - fannedOutAt < gatherMs) await pause(gatherMs);
    const { events, endpoints, unattended } = await fanOutEvents(sql, eventsAtOnce, new Date(), deliveryWindowMs);
    if (events > 0) fannedOutAt = performance.now();
    wantAll(endpoints);
    if (unattended.length > 0 && (await openBacklogs(sql, unattended)) > 0) onOwed();
    if (events === eventsAtOnce) fanning.wake();
  };

  const look = async (): Promise<void> => wantAll(await endpointsWaiting(sql));

  const onError = (error: unknown): void => logger.error({ err: error }, 'the sender could not reach its store');
  const claiming = repeating(claim, { everyMs: lookEveryMs, onError });
  const fanning = repeating(fanOut, { everyMs: lookEveryMs, onError });
  const looking = repeating(look, { everyMs: lookEveryMs, onError });
  const releasing = repeating(() => endLapsed(domain, sql, new Date()), { everyMs: lapsedEveryMs, onError });
  const mending = repeating(
    async () => {
      await mendStrays(domain, new Date());
      looking.wake();
    },
    { everyMs: straysEveryMs, onError },
  );

  return {
    wakeForEvents: () => fanning.wake(),
    wakeForDeliveries: () => looking.wake(),
    stop: async () => {
      await Promise.all([claiming, fanning, looking, releasing, mending].map((loop) => loop.stop()));
      await Promise.allSettled(underWay);
      stopping = true;
      await recorder.flushed();
    },
  };
}
