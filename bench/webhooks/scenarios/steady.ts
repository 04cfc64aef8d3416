import { account, causedEvents, latencies, percentiles, sinceCall } from '../figures';
import { Measurement } from '../measurement';
import { answered, provision, publish } from '../publishing';
import type { Stage } from '../scenarioContext';

const steadySeconds = 15;
const warmSeconds = 3;
const drainsWithinMs = 30_000;

/** Calls at a fixed rate, from the moment that each is due to the arrival of its event. */
export const benchSteady = (perSecond: number) => async (stage: Stage): Promise<object> => {
  const source = await provision(stage, await stage.institution());
  const endpoint = await stage.endpoint(source.institution);
  const calling = { sources: [source], perSecond };
  const warm = await Measurement.begin(stage, [endpoint]);
  await warm.ended(answered(await publish(stage, { ...calling, seconds: stage.scaled(warmSeconds) })).length, drainsWithinMs);

  const seconds = stage.scaled(steadySeconds);
  const measurement = await Measurement.begin(stage, [endpoint]);
  const calls = await publish(stage, { ...calling, seconds });
  const outcome = await measurement.ended(answered(calls).length, drainsWithinMs);
  return {
    what: 'call to arrival',
    calls_per_s: perSecond,
    seconds,
    calls_not_2xx: calls.length - answered(calls).length,
    deliveries_per_s: Math.round(outcome.delivered / seconds),
    ...percentiles(latencies(causedEvents(calls, outcome.events), outcome.arrivals.values(), sinceCall)),
    ...account([outcome]),
  };
};
