import { rounded } from '../../statistics';
import { summarizeOutcomes, causedEvents } from '../figures';
import { clock } from '../clock';
import { Measurement } from '../measurement';
import { successfulCalls, provision, publish } from '../publishing';
import { receiver } from '../receiver';
import type { ScenarioContext } from '../scenarioContext';
import { countWorkflows } from '../workflowCount';

const callsPerSecond = 20;
const downSeconds = 60;
const secondsBefore = 5;
const secondsAfter = 10;
/** Waits between retries increase; one that began with the outage may wait this long after its end. */
const drainTimeoutMs = 300_000;

/** Measures a receiver without connectivity for a minute, under a constant load: how long after its return the last event of that minute arrives. */
export async function benchReceiverDown(stage: ScenarioContext): Promise<object> {
  const source = await provision(stage, await stage.institution());
  const endpoint = await stage.endpoint(source.institution);
  const seconds = stage.scaled(downSeconds);
  const measurement = await Measurement.begin(stage, [endpoint]);
  const publishing = publish(stage, { sources: [source], perSecond: callsPerSecond, seconds: secondsBefore + seconds + secondsAfter });
  publishing.catch(() => undefined);
  await stage.pause(secondsBefore * 1_000);
  await receiver.stopListening();
  const gone = clock();
  await stage.pause(seconds * 1_000);
  await receiver.startListening();
  const back = clock();
  const calls = await publishing;
  const outcome = await measurement.waitUntilEnded(successfulCalls(calls).length, drainTimeoutMs);
  const sentMeanwhile = causedEvents(calls, outcome.events).filter(({ call }) => call.start >= gone && call.start < back);
  const arrivals = sentMeanwhile.map(({ event }) => outcome.arrivals.get(endpoint.id)?.get(event.id) ?? Number.NaN);
  return {
    down_s: seconds,
    calls_per_s: callsPerSecond,
    sent_meanwhile: sentMeanwhile.length,
    last_arrival_after_s: rounded((Math.max(...arrivals) - back) / 1_000),
    workflows: await countWorkflows(stage, endpoint),
    ...summarizeOutcomes([outcome]),
  };
}
