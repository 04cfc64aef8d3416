import { summarizeOutcomes, causedEvents, latencies, percentiles, sinceCall } from '../figures';
import { Measurement } from '../measurement';
import { successfulCalls, provision, publish } from '../publishing';
import { receiver } from '../receiver';
import type { ScenarioContext } from '../scenarioContext';
import { countWorkflows } from '../workflowCount';

const callsPerSecond = 400;
const measuredSeconds = 20;
const warmSeconds = 3;
/** The retries are due 5 s later, all at the same time. */
const drainTimeoutMs = 180_000;

/** Measures a receiver that rejects the first attempt of every tenth event: call to arrival of the others, and the workflows of the rejected ones. */
export async function benchEveryTenth(stage: ScenarioContext): Promise<object> {
  const source = await provision(stage, await stage.institution());
  const endpoint = await stage.endpoint(source.institution);
  const calling = { sources: [source], perSecond: callsPerSecond };
  const warm = await Measurement.begin(stage, [endpoint]);
  await warm.waitUntilEnded(successfulCalls(await publish(stage, { ...calling, seconds: stage.scaled(warmSeconds) })).length, drainTimeoutMs);

  await receiver.setMode(endpoint.path, 'tenth');
  const seconds = stage.scaled(measuredSeconds);
  const measurement = await Measurement.begin(stage, [endpoint]);
  const calls = await publish(stage, { ...calling, seconds });
  const outcome = await measurement.waitUntilEnded(successfulCalls(calls).length, drainTimeoutMs);
  const caused = causedEvents(calls, outcome.events);
  const refused = caused.filter(({ event }) => outcome.refusedAtFirst.has(event.id));
  const others = caused.filter(({ event }) => !outcome.refusedAtFirst.has(event.id));
  return {
    what: 'call to arrival of the others',
    calls_per_s: callsPerSecond,
    seconds,
    calls_not_2xx: calls.length - successfulCalls(calls).length,
    ...percentiles(latencies(others, outcome.arrivals.values(), sinceCall)),
    refused_at_first: refused.length,
    their_call_to_arrival: percentiles(latencies(refused, outcome.arrivals.values(), sinceCall)),
    workflows: await countWorkflows(stage, endpoint),
    ...summarizeOutcomes([outcome]),
  };
}
