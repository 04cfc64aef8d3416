import { wakeupChannel } from '../../../db/wakeups';
import { median } from '../../statistics';
import { commitEvents } from '../commitEvents';
import { account } from '../figures';
import { Measurement, type Outcome } from '../measurement';
import { clock } from '../clock';
import type { BenchEndpoint, Stage } from '../scenarioContext';

const backlog = 5_000;
const rounds = 3;
const drainsWithinMs = 60_000;

async function drain(stage: Stage, endpoint: BenchEndpoint, count: number): Promise<{ perSecond: number; outcome: Outcome }> {
  const measurement = await Measurement.begin(stage, [endpoint]);
  await commitEvents(stage.environment, endpoint.institution, count);
  measurement.chargeFromNow();
  const committed = clock();
  await stage.environment.database.sql(`NOTIFY ${wakeupChannel}`);
  const outcome = await measurement.ended(count, drainsWithinMs);
  const last = Math.max(...[...outcome.arrivals.values()].flatMap((at) => [...at.values()]));
  return { perSecond: count / ((last - committed) / 1_000), outcome };
}

/** Events that stand there all at once: from their commit to the last arrival. */
export async function benchBacklog(stage: Stage): Promise<object> {
  const count = stage.scaled(backlog);
  const endpoint = await stage.endpoint(await stage.institution(1));
  await drain(stage, endpoint, count);
  const drained = [];
  for (let round = 0; round < rounds; round += 1) drained.push(await drain(stage, endpoint, count));
  return {
    events: count,
    rounds,
    deliveries_per_s: Math.round(median(drained.map(({ perSecond }) => perSecond))),
    ...account(drained.map(({ outcome }) => outcome)),
  };
}
