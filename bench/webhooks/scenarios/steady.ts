import { summarizeOutcomes, causedEvents, latencies, percentiles, sinceCall } from '../figures';
import { Measurement } from '../measurement';
import { successfulCalls, provision, publish } from '../publishing';
import type { ScenarioContext } from '../scenarioContext';

const steadySeconds = 15;
const warmSeconds = 3;
const drainTimeoutMs = 30_000;

/** Measures calls at a fixed rate, from the time at which each is due to the arrival of its event. */
export const benchSteady = (perSecond: number) => async (stage: ScenarioContext): Promise<object> => {
  const source = await provision(stage, await stage.institution());
  const endpoint = await stage.endpoint(source.institution);
  const calling = { sources: [source], perSecond };
  const warm = await Measurement.begin(stage, [endpoint]);
  await warm.waitUntilEnded(successfulCalls(await publish(stage, { ...calling, seconds: stage.scaled(warmSeconds) })).length, drainTimeoutMs);

  const seconds = stage.scaled(steadySeconds);
  const measurement = await Measurement.begin(stage, [endpoint]);
  const calls = await publish(stage, { ...calling, seconds });
  const outcome = await measurement.waitUntilEnded(successfulCalls(calls).length, drainTimeoutMs);
  return {
    what: 'call to arrival',
    calls_per_s: perSecond,
    seconds,
    calls_not_2xx: calls.length - successfulCalls(calls).length,
    deliveries_per_s: Math.round(outcome.delivered / seconds),
    ...percentiles(latencies(causedEvents(calls, outcome.events), outcome.arrivals.values(), sinceCall)),
    ...summarizeOutcomes([outcome]),
  };
};
