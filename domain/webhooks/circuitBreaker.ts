import type { FailureLimits } from '../../db/repositories/webhooks/attempts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How often the receiver behind an open circuit is probed: the shorter it has been open, the oftener. In ms. */
const probePhases = [
  { until: 10 * minute, every: 5 * second },
  { until: 10 * minute + hour, every: 30 * second },
  { until: Infinity, every: 5 * minute },
] as const;

/** A receiver that asks for time by `Retry-After` is not probed for so long at most, in ms. */
const maxProbeDelayMs = hour;

/** How long after a probe the next one follows, in ms, when the circuit has been open for so long. */
export function probeIntervalMs(openForMs: number): number {
  return probePhases.find(({ until }) => openForMs < until)?.every ?? probePhases[2].every;
}

/** When an open circuit is probed next at the earliest, for a receiver that asked for `parseRetryAfterMs`. */
export function delayedProbeAt(now: Date, retryAfterMs: number): Date {
  return new Date(now.getTime() + Math.min(retryAfterMs, maxProbeDelayMs));
}

/** 20 failures in a row open the circuit of an endpoint; at most 50 of its deliveries have a retry workflow of their own. */
export const failureLimits: FailureLimits = { maxWorkflows: 50, failuresToOpen: 20, firstProbeMs: probePhases[0].every };
