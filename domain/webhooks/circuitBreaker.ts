import type { FailureLimits } from '../../db/repositories/webhooks/attempts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Probe intervals behind an open circuit, in ms: shorter while the circuit has been open for a short time. */
const probePhases = [
  { until: 10 * minute, every: 5 * second },
  { until: 10 * minute + hour, every: 30 * second },
  { until: Infinity, every: 5 * minute },
] as const;

/** The longest probe delay that a receiver can request by `Retry-After`, in ms. */
const maxProbeDelayMs = hour;

/** Returns the time between two probes, in ms, for a circuit that has been open for `openForMs`. */
export function probeIntervalMs(openForMs: number): number {
  return probePhases.find(({ until }) => openForMs < until)?.every ?? probePhases[2].every;
}

/** Returns the earliest time of the next probe for a receiver that requested `retryAfterMs`. */
export function delayedProbeAt(now: Date, retryAfterMs: number): Date {
  return new Date(now.getTime() + Math.min(retryAfterMs, maxProbeDelayMs));
}

/** 20 consecutive failures open the circuit of an endpoint; at most 50 of its deliveries have a retry workflow of their own. */
export const failureLimits: FailureLimits = { maxWorkflows: 50, failuresToOpen: 20, firstProbeMs: probePhases[0].every };
