import { failureLimits, delayedProbeAt, probeIntervalMs } from '../../../domain/webhooks/circuitBreaker';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

it.each([
  ['that has just opened', 0, 5 * second],
  ['1 ms before 10 min', 10 * minute - 1, 5 * second],
  ['at 10 min', 10 * minute, 30 * second],
  ['1 ms after 10 min', 10 * minute + 1, 30 * second],
  ['1 ms before 70 min', 70 * minute - 1, 30 * second],
  ['at 70 min', 70 * minute, 5 * minute],
  ['1 ms after 70 min', 70 * minute + 1, 5 * minute],
  ['at 3 h', 3 * hour, 5 * minute],
  ['at 11 h', 11 * hour, 5 * minute],
  // Deliveries that happen while it is open go on to be held: it may be probed for days.
  ['at 71 h', 71 * hour, 5 * minute],
])('an open circuit %s (%d ms) is probed again after %d ms', (_when, openForMs, everyMs) => {
  expect(probeIntervalMs(openForMs)).toBe(everyMs);
});

it('the first probe of a circuit follows as those of its first phase do', () => {
  expect(failureLimits.firstProbeMs).toBe(probeIntervalMs(0));
});

it.each([
  ['a second', second, second],
  ['an hour', hour, hour],
  ['a day', 24 * hour, hour],
])('a receiver that asks for %s by Retry-After has it, up to an hour', (_time, retryAfterMs, postponedMs) => {
  const now = new Date('2026-11-20T09:30:00.000Z');
  expect(delayedProbeAt(now, retryAfterMs).getTime()).toBe(now.getTime() + postponedMs);
});
