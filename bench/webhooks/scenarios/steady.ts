import { summarizeOutcomes } from '../figures';
import { provision } from '../publishing';
import type { ScenarioContext } from '../scenarioContext';
import { callToArrival, failedCalls, measureSteadyCalls, warmUp } from '../steadyCalls';

const steadySeconds = 15;

/** Measures calls at a fixed rate, from the time at which each is due to the arrival of its event. */
export const benchSteady = (perSecond: number) => async (stage: ScenarioContext): Promise<object> => {
  const source = await provision(stage, await stage.institution());
  const endpoint = await stage.endpoint(source.institution);
  const calling = { sources: [source], perSecond };
  await warmUp(stage, endpoint, calling);
  const measured = await measureSteadyCalls(stage, endpoint, calling, steadySeconds);
  const seconds = stage.scaled(steadySeconds);
  return {
    what: 'call to arrival',
    calls_per_s: perSecond,
    seconds,
    calls_not_2xx: failedCalls([measured]),
    deliveries_per_s: Math.round(measured.outcome.delivered / seconds),
    ...callToArrival(measured),
    ...summarizeOutcomes([measured.outcome]),
  };
};
