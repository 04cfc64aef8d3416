import { benchClient } from '../../benchClient';
import { rounded } from '../../statistics';
import { summarizeOutcomes } from '../figures';
import { provision } from '../publishing';
import type { ScenarioContext } from '../scenarioContext';
import { callToArrival, failedCalls, measureSteadyCalls, warmUp, type SteadyCalls } from '../steadyCalls';

const perSecond = 200;
const bulkStudents = 2_400;
const studentsPerCall = 200;
/** Autovacuum looks once a minute, so what it does because of the bulk calls falls into one of these parts. */
const parts = 5;
const partSeconds = 15;
const boundMs = 40;

/** Steady calls before and just after 2,400 students were made in bulk in the same institution: they must have no tail. */
export async function benchAfterBulk(stage: ScenarioContext): Promise<object> {
  const source = await provision(stage, await stage.institution());
  const endpoint = await stage.endpoint(source.institution);
  const calling = { sources: [source], perSecond };
  await warmUp(stage, endpoint, calling);
  const before = await measureSteadyCalls(stage, endpoint, calling, partSeconds);

  const client = benchClient(stage.environment, source.institution);
  const begun = performance.now();
  for (let made = 0; made < stage.scaled(bulkStudents); made += studentsPerCall) {
    await client.call('POST', '/students/bulk', { body: { students: Array.from({ length: studentsPerCall }, () => ({})) } });
  }
  const bulkSeconds = (performance.now() - begun) / 1_000;
  const after: SteadyCalls[] = [];
  for (let part = 0; part < parts; part += 1) after.push(await measureSteadyCalls(stage, endpoint, calling, partSeconds));

  const p99s = after.map((part) => callToArrival(part).p99_ms);
  const slowest = Math.max(...p99s);
  return {
    what: 'call to arrival',
    calls_per_s: perSecond,
    bulk_s: rounded(bulkSeconds, 1),
    calls_not_2xx: failedCalls([before, ...after]),
    before: callToArrival(before),
    after_p99_ms: p99s,
    slowest_p99_ms: slowest,
    bound_ms: boundMs,
    met: slowest <= boundMs,
    ...summarizeOutcomes([before, ...after].map(({ outcome }) => outcome)),
  };
}
