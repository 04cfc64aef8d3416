import {
  claimProbe,
  countWaiting,
  moveDeliveries,
  planBacklog,
  postponeProbe,
  readBacklogState,
  readLastResponse,
  type BacklogRun,
  type BacklogState,
} from '../../db/repositories/webhooks/backlog';
import { institutionScope } from '../../db/database';
import { countDeadSince } from '../../db/repositories/support/endpoints';
import { claimWithinLimit, takeDeliverySlot } from '../../db/repositories/webhooks/rateLimits';
import { toRealTime } from '../../domain/clock';
import { delayedProbeAt, probeIntervalMs } from '../../domain/webhooks/circuitBreaker';
import { disableFailingEndpoint, disableAfterMs } from '../../domain/webhooks/disableEndpoint';
import { findDeadByDisabling } from '../../domain/webhooks/endpointHealth';
import { endDeliveriesByMove, endAllDeliveries } from '../../domain/webhooks/endWithoutAttempt';
import { deliveryWindowMs, requestedRetryAfterMs } from '../../domain/webhooks/retrySchedule';
import { withHeartbeats } from '../heartbeats';
import { clockAhead, createDatabaseActivityTime, type ActivityTime } from '../activityNow';
import { attemptClaimed, type AttemptDeps } from './attemptDelivery';

/** What a backlog waits for, for its workflow and for operators. Times in ms since 1970. */
export interface BacklogPlan {
  /** `probe`: the circuit is open; `retry`: some are due later; `resume`: paused or suspended; `nothing`: the run has ended. */
  waitsFor: 'probe' | 'retry' | 'resume' | 'nothing';
  held: number;
  retrying: number;
  lookAtMs: number;
  circuitOpenSinceMs: number | null;
  /** The endpoint's last response: a status code or an error class. */
  lastAnswer: string | null;
  /** Of a run that has ended because the endpoint was disabled or deleted: which of them, and of a disabled one how many deliveries were given up. Absent before 0.14.0. */
  endpointEnd?: { because: 'disabled' | 'deleted'; givenUp: number };
  /** Of a run that has ended otherwise: how many deliveries were given up since it began. Absent before 0.22.0. */
  givenUp?: number;
  /** How far the clock of a sandbox is ahead, by which the times are; absent if it is not. */
  clockOffsetMs?: number;
}

/** The activities of the backlog workflow. `nowMs` is the workflow's time. */
export interface BacklogActivities {
  /** Processes what is due for an endpoint: probes, releases due deliveries, ends overdue ones. */
  workBacklog(run: BacklogRun, nowMs: number): Promise<BacklogPlan>;
  /**
   * Attempts one waiting delivery outside of its schedule, even if held; no-op for one that waits no longer, or of which more
   * than `attempts` were made since the request. False if no slot is free, or the rate limit of the endpoint is reached.
   */
  attemptWaiting(run: BacklogRun, deliveryId: string, nowMs: number, attempts?: number): Promise<boolean>;
}

const endedPlan: BacklogPlan = { waitsFor: 'nothing', held: 0, retrying: 0, lookAtMs: 0, circuitOpenSinceMs: null, lastAnswer: null };

/** Without due work a backlog reads its state again after this time, in ms, in case a signal was lost. */
const maxWaitMs = 6 * 3_600_000;

/** Delay of a probe without a free slot, in ms. */
const probeRetryMs = 5_000;

/** Maximum number of chunks released in one run of the activity, so that a receiver that fails again does not get everything. */
const maxReleaseChunks = 20;

const isDisabledOrDeleted = ({ status, deleted }: BacklogState): boolean => deleted || status === 'disabled';
const isPaused = ({ status, institution_status }: BacklogState): boolean => status === 'paused' || institution_status !== 'approved';

/** Returns the backlog's activities. */
export function createBacklogActivities(parts: AttemptDeps): BacklogActivities {
  const { domain, attemptConcurrency } = parts;
  const { sql } = domain.database;
  const activityTime = createDatabaseActivityTime(sql);
  const wakeSender = (): void => domain.onCommitted(['deliveries']);
  /** Returns the same owner on every try of an activity, so that a retry after a crash takes over its own claim. Requested attempts and probes have separate claims. */
  const ownerOf = ({ endpointId, run }: BacklogRun, kind: 'probe' | 'request'): string => `${endpointId}:${run}:${kind}`;

  const probe = async (run: BacklogRun, openedAt: Date, { now, clockOffsetMs }: ActivityTime): Promise<void> => {
    const nextProbeAt = new Date(now.getTime() + probeIntervalMs(now.getTime() - openedAt.getTime()));
    const claimedBy = ownerOf(run, 'probe');
    const delivery = await claimProbe(sql, run.endpointId, { now, nextProbeAt, claimedBy, windowMs: deliveryWindowMs });
    const outcome = delivery && (await attemptClaimed(parts, delivery, { claimedBy, reason: 'request', now }));
    const retryAfter = outcome === undefined || outcome.ok ? null : requestedRetryAfterMs(outcome, toRealTime({ clockOffsetMs }, now));
    if (retryAfter !== null) await postponeProbe(sql, run.endpointId, delayedProbeAt(now, retryAfter));
  };

  const settle = async ({ endpointId }: BacklogRun, now: Date): Promise<void> => {
    await endDeliveriesByMove(domain, endpointId, now, ['overdue', 'heldTooLong']);
    await moveDeliveries(sql, 'hold', endpointId, now);
    await moveDeliveries(sql, 'due', endpointId, now, { onChunk: wakeSender });
    await moveDeliveries(sql, 'release', endpointId, now, { onChunk: wakeSender, atMost: maxReleaseChunks });
  };

  const hasFailedTooLong = ({ failing_since }: BacklogState, now: Date): boolean =>
    failing_since !== null && now.getTime() - failing_since.getTime() >= disableAfterMs;

  const act = async (run: BacklogRun, state: BacklogState, time: ActivityTime): Promise<void> => {
    const { now } = time;
    if (isDisabledOrDeleted(state) || (hasFailedTooLong(state, now) && (await disableFailingEndpoint(domain, run, now)))) {
      await endAllDeliveries(domain, run.endpointId, now);
      return;
    }
    await settle(run, now);
    const { circuit_opened_at: openedAt } = state;
    if (openedAt === null || isPaused(state)) return;
    const isWithinLimit = state.rate_limit === null || (await takeDeliverySlot(sql, run.endpointId));
    const made = isWithinLimit ? await attemptConcurrency.tryRun(run, () => probe(run, openedAt, time), 'probe') : undefined;
    if (made === undefined) await postponeProbe(sql, run.endpointId, new Date(now.getTime() + probeRetryMs));
  };

  const describeEnd = async ({ institutionId, endpointId }: BacklogRun, after: BacklogState | undefined): Promise<BacklogPlan> => {
    if (after === undefined) return endedPlan;
    if (after.deleted) return { ...endedPlan, endpointEnd: { because: 'deleted', givenUp: 0 } };
    const scope = institutionScope(domain.database, institutionId);
    if (!isDisabledOrDeleted(after)) return { ...endedPlan, givenUp: after.opened_at === null ? 0 : await countDeadSince(scope, endpointId, after.opened_at) };
    const { count } = await findDeadByDisabling(scope, endpointId, after.updated_at);
    return { ...endedPlan, endpointEnd: { because: 'disabled', givenUp: count } };
  };

  const work = async (run: BacklogRun, time: ActivityTime): Promise<BacklogPlan> => {
    const { now } = time;
    const before = await readBacklogState(sql, run);
    if (before?.is_current !== true) return describeEnd(run, before);
    await act(run, before, time);
    const planned = await planBacklog(sql, run, now, maxWaitMs);
    const after = await readBacklogState(sql, run);
    if (planned?.is_waiting !== true || after === undefined) return describeEnd(run, after);
    return {
      ...(await countWaiting(sql, run.endpointId)),
      waitsFor: isPaused(after) ? 'resume' : after.circuit === 'open' ? 'probe' : 'retry',
      lookAtMs: planned.look_at?.getTime() ?? now.getTime() + maxWaitMs,
      circuitOpenSinceMs: after.circuit_opened_at?.getTime() ?? null,
      lastAnswer: await readLastResponse(sql, run.endpointId),
      ...clockAhead(time),
    };
  };

  const attemptOne = async (run: BacklogRun, deliveryId: string, now: Date, attempts: number | undefined): Promise<boolean> => {
    const { institutionId } = run;
    const claimedBy = ownerOf(run, 'request');
    const made = await attemptConcurrency.tryRun(run, async () => {
      const delivery = await claimWithinLimit(sql, { institutionId, deliveryId, claimedBy, now, statuses: ['held', 'retrying'], windowMs: deliveryWindowMs, attempts });
      if (delivery === 'limited') return false;
      if (delivery !== undefined) await attemptClaimed(parts, delivery, { claimedBy, reason: 'request', now });
      return true;
    });
    return made?.result === true;
  };

  return {
    workBacklog: (run, nowMs) => withHeartbeats(async () => work(run, await activityTime(run.institutionId, nowMs))),
    attemptWaiting: (run, deliveryId, nowMs, attempts) => withHeartbeats(async () => attemptOne(run, deliveryId, (await activityTime(run.institutionId, nowMs)).now, attempts)),
  };
}
