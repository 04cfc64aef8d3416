import { wakeupChannel } from '../../../db/wakeups';
import { quantile, rounded } from '../../statistics';
import { commitEvents } from '../commitEvents';
import { summarizeOutcomes } from '../figures';
import { clock } from '../clock';
import { Measurement } from '../measurement';
import { receiver } from '../receiver';
import type { BenchEndpoint, ScenarioContext } from '../scenarioContext';
import { countWorkflows } from '../workflowCount';

const eventCount = 10_000;
/** The outage ends after every event has failed or is held, or at the latest after this time. */
const firstAttemptsTimeoutMs = 120_000;
/** How long the outage continues after that. */
const extraOutageSeconds = 15;
const drainTimeoutMs = 600_000;

const unattemptedCount = `SELECT (SELECT count(*) FROM event_queue WHERE institution_id = $1)
  + (SELECT count(*) FROM deliveries WHERE endpoint_id = $2 AND status = 'pending') AS count`;

/** Waits until no delivery waits for a first attempt; returns whether that was reached. */
async function waitForFirstAttempts(stage: ScenarioContext, { id, institution }: BenchEndpoint): Promise<boolean> {
  const deadline = Date.now() + firstAttemptsTimeoutMs;
  while (Date.now() < deadline) {
    const [row] = await stage.environment.database.sql<{ count: string }>(unattemptedCount, [institution.id, id]);
    if (row?.count === '0') return true;
    await stage.pause(500);
  }
  return false;
}

/** The two kinds of outages. */
const outages = {
  answers500: { begin: (path: string) => receiver.setMode(path, 'fail'), end: (path: string) => receiver.setMode(path, 'ok') },
  refused: { begin: () => receiver.stopListening(), end: () => receiver.startListening() },
};

/** Measures 10,000 events committed during a receiver's outage: workflows started, and how the events drain after it. */
export const benchOutage = (kind: keyof typeof outages) => async (stage: ScenarioContext): Promise<object> => {
  const count = stage.scaled(eventCount);
  const endpoint = await stage.endpoint(await stage.institution(1));
  const warm = await Measurement.begin(stage, [endpoint]);
  await commitEvents(stage.environment, endpoint.institution, stage.scaled(1_000));
  await stage.environment.database.sql(`NOTIFY ${wakeupChannel}`);
  await warm.waitUntilEnded(stage.scaled(1_000), 60_000);

  await outages[kind].begin(endpoint.path);
  const measurement = await Measurement.begin(stage, [endpoint]);
  await commitEvents(stage.environment, endpoint.institution, count);
  await stage.environment.database.sql(`NOTIFY ${wakeupChannel}`);
  const allMet = await waitForFirstAttempts(stage, endpoint);
  await stage.pause(stage.scaled(extraOutageSeconds) * 1_000);
  const during = await countWorkflows(stage, endpoint);
  await outages[kind].end(endpoint.path);
  const back = clock();
  const outcome = await measurement.waitUntilEnded(count, drainTimeoutMs);
  const at = [...(outcome.arrivals.get(endpoint.id)?.values() ?? [])];
  const [first, most, last] = [Math.min(...at), quantile(at, 0.99), Math.max(...at)];
  return {
    events: count,
    all_met_by_the_outage: allMet,
    workflows_during: during,
    workflows_in_all: await countWorkflows(stage, endpoint),
    first_success_after_s: rounded((first - back) / 1_000),
    deliveries_per_s: Math.round((0.99 * at.length) / ((most - first) / 1_000)),
    drained_99_percent_after_s: rounded((most - back) / 1_000),
    drained_after_s: rounded((last - back) / 1_000),
    ...summarizeOutcomes([outcome]),
  };
};
