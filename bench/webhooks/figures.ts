import { median, quantile, rounded } from '../statistics';
import type { MeasuredEvent, Outcome } from './measurement';
import { successfulCalls, type Call } from './publishing';

/** A call with the event that it caused. */
export interface CausedEvent {
  call: Call;
  event: MeasuredEvent;
}

/** Pairs calls and events: the n-th successful call for a student caused the student's n-th event; calls are in the order of their start. */
export function causedEvents(calls: readonly Call[], events: readonly MeasuredEvent[]): CausedEvent[] {
  const byStudent = new Map<string, MeasuredEvent[]>();
  for (const event of events) {
    const own = byStudent.get(event.student);
    if (own === undefined) byStudent.set(event.student, [event]);
    else own.push(event);
  }
  const next = new Map<string, number>();
  return successfulCalls(calls).flatMap((call) => {
    const nth = next.get(call.student) ?? 0;
    next.set(call.student, nth + 1);
    const event = byStudent.get(call.student)?.[nth];
    return event === undefined ? [] : [{ call, event }];
  });
}

/** Returns the times from `since` to the arrival at each endpoint that received the event, in ms. */
export function latencies(caused: readonly CausedEvent[], arrivals: Iterable<ReadonlyMap<string, number>>, since: (caused: CausedEvent) => number): number[] {
  return [...arrivals].flatMap((at) =>
    caused.flatMap((one) => {
      const arrived = at.get(one.event.id);
      return arrived === undefined ? [] : [arrived - since(one)];
    }),
  );
}

/** The time at which a call was due. */
export const sinceCall = ({ call }: CausedEvent): number => call.start;

/** The time of the commit: the event's timestamp, or the response if the event clock is ahead of the real time. */
export const sinceCommit = ({ call, event }: CausedEvent): number => Math.min(event.at, call.end);

export const percentiles = (samples: readonly number[]): { p50_ms: number; p95_ms: number; p99_ms: number } => ({
  p50_ms: rounded(median(samples), 1),
  p95_ms: rounded(quantile(samples, 0.95), 1),
  p99_ms: rounded(quantile(samples, 0.99), 1),
});

/** Returns the fields at the end of every line. */
export function summarizeOutcomes(outcomes: readonly Pick<Outcome, 'lost' | 'duplicates' | 'delivered' | 'cpuSeconds'>[]): object {
  const sum = (of: (outcome: (typeof outcomes)[number]) => number): number => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const thousands = sum(({ delivered }) => delivered) / 1_000;
  const names = Object.keys(outcomes[0]?.cpuSeconds ?? {});
  const each = names.map((name): [string, number] => [name, sum(({ cpuSeconds }) => cpuSeconds[name] ?? 0) / thousands]);
  const total = each.reduce((whole, [, seconds]) => whole + seconds, 0);
  return {
    lost: sum(({ lost }) => lost),
    duplicates: sum(({ duplicates }) => duplicates),
    cpu_s_per_1000: Object.fromEntries([...each, ['total', total] as const].map(([name, seconds]) => [name, rounded(seconds, 3)])),
  };
}
