import { account, causedEvents, latencies, percentiles, sinceCall } from '../figures';
import { Measurement } from '../measurement';
import { answered, provision, publish } from '../publishing';
import { receiver } from '../receiver';
import type { Stage } from '../scenarioContext';
import { workflowsOf } from '../workflowCount';

const callsPerSecond = 400;
const measuredSeconds = 20;
const warmSeconds = 3;
/** The retries come 5 s later and all at once. */
const drainsWithinMs = 180_000;

/** A receiver that refuses the first attempt of every tenth event: call to arrival of the others, and the workflows that the refused cost. */
export async function benchEveryTenth(stage: Stage): Promise<object> {
  const source = await provision(stage, await stage.institution());
  const endpoint = await stage.endpoint(source.institution);
  const calling = { sources: [source], perSecond: callsPerSecond };
  const warm = await Measurement.begin(stage, [endpoint]);
  await warm.ended(answered(await publish(stage, { ...calling, seconds: stage.scaled(warmSeconds) })).length, drainsWithinMs);

  await receiver.answer(endpoint.path, 'tenth');
  const seconds = stage.scaled(measuredSeconds);
  const measurement = await Measurement.begin(stage, [endpoint]);
  const calls = await publish(stage, { ...calling, seconds });
  const outcome = await measurement.ended(answered(calls).length, drainsWithinMs);
  const caused = causedEvents(calls, outcome.events);
  const refused = caused.filter(({ event }) => outcome.refusedAtFirst.has(event.id));
  const others = caused.filter(({ event }) => !outcome.refusedAtFirst.has(event.id));
  return {
    what: 'call to arrival of the others',
    calls_per_s: callsPerSecond,
    seconds,
    calls_not_2xx: calls.length - answered(calls).length,
    ...percentiles(latencies(others, outcome.arrivals.values(), sinceCall)),
    refused_at_first: refused.length,
    their_call_to_arrival: percentiles(latencies(refused, outcome.arrivals.values(), sinceCall)),
    workflows: await workflowsOf(stage, endpoint),
    ...account([outcome]),
  };
}
