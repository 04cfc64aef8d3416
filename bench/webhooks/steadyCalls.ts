import { causedEvents, latencies, percentiles, sinceCall } from './figures';
import { Measurement, type Outcome } from './measurement';
import { publish, successfulCalls, type Call, type PublishOptions } from './publishing';
import type { BenchEndpoint, ScenarioContext } from './scenarioContext';

/** Calls at a fixed rate, and what became of their events. */
export interface SteadyCalls {
  calls: Call[];
  outcome: Outcome;
}

const warmSeconds = 3;
const drainTimeoutMs = 60_000;

/** Makes calls for so many seconds, scaled, and waits until every delivery of their events has ended. */
export async function measureSteadyCalls(stage: ScenarioContext, endpoint: BenchEndpoint, calling: Omit<PublishOptions, 'seconds'>, seconds: number): Promise<SteadyCalls> {
  const measurement = await Measurement.begin(stage, [endpoint]);
  const calls = await publish(stage, { ...calling, seconds: stage.scaled(seconds) });
  return { calls, outcome: await measurement.waitUntilEnded(successfulCalls(calls).length, drainTimeoutMs) };
}

/** Makes the calls of a warm-up, which nobody counts. */
export async function warmUp(stage: ScenarioContext, endpoint: BenchEndpoint, calling: Omit<PublishOptions, 'seconds'>): Promise<void> {
  await measureSteadyCalls(stage, endpoint, calling, warmSeconds);
}

/** Returns the times from when each call was due to the arrival of its event, in ms. */
export const callToArrival = ({ calls, outcome }: SteadyCalls): ReturnType<typeof percentiles> =>
  percentiles(latencies(causedEvents(calls, outcome.events), outcome.arrivals.values(), sinceCall));

/** Returns how many calls got an error or no response. */
export const failedCalls = (measured: readonly SteadyCalls[]): number => measured.reduce((sum, { calls }) => sum + calls.length - successfulCalls(calls).length, 0);
