import { wakeupChannel } from '../../../db/wakeups';
import { median } from '../../statistics';
import { commitEvents } from '../commitEvents';
import { summarizeOutcomes } from '../figures';
import { Measurement, type Outcome } from '../measurement';
import { clock } from '../clock';
import type { BenchEndpoint, ScenarioContext } from '../scenarioContext';

const backlog = 5_000;
const rounds = 3;
const drainTimeoutMs = 60_000;

async function drain(stage: ScenarioContext, endpoint: BenchEndpoint, count: number): Promise<{ perSecond: number; outcome: Outcome }> {
  const measurement = await Measurement.begin(stage, [endpoint]);
  await commitEvents(stage.environment, endpoint.institution, count);
  measurement.resetCpuSeconds();
  const committed = clock();
  await stage.environment.database.sql(`NOTIFY ${wakeupChannel}`);
  const outcome = await measurement.waitUntilEnded(count, drainTimeoutMs);
  const last = Math.max(...[...outcome.arrivals.values()].flatMap((at) => [...at.values()]));
  return { perSecond: count / ((last - committed) / 1_000), outcome };
}

/** Measures events that are all available at the same time: from their commit to the last arrival. */
export async function benchBacklog(stage: ScenarioContext): Promise<object> {
  const count = stage.scaled(backlog);
  const endpoint = await stage.endpoint(await stage.institution(1));
  await drain(stage, endpoint, count);
  const drained = [];
  for (let round = 0; round < rounds; round += 1) drained.push(await drain(stage, endpoint, count));
  return {
    events: count,
    rounds,
    deliveries_per_s: Math.round(median(drained.map(({ perSecond }) => perSecond))),
    ...summarizeOutcomes(drained.map(({ outcome }) => outcome)),
  };
}
