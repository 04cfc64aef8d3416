import { rounded } from '../../statistics';
import { summarizeOutcomes, causedEvents, latencies, percentiles, sinceCall } from '../figures';
import { Measurement, type Outcome } from '../measurement';
import { successfulCalls, provision, publish, type Call, type Source } from '../publishing';
import { receiver } from '../receiver';
import type { BenchEndpoint, ScenarioContext } from '../scenarioContext';

const endpointCount = 10;
const deliveriesPerSecond = 100;
const measuredSeconds = 30;
const warmSeconds = 3;
/** Longer than the timeout of an attempt. */
const hangSeconds = 15;
const drainTimeoutMs = 30_000;
const keysPerInstitution = 3;
const studentsPerInstitution = 40;

/** The calling institutions and the receiving endpoints. */
export interface Layout {
  sources: Source[];
  endpoints: BenchEndpoint[];
  /** Each event of an institution is sent to all of its endpoints. */
  callsPerSecond: number;
}

/** Ten institutions with an endpoint each. */
export async function createTenInstitutions(stage: ScenarioContext): Promise<Layout> {
  const sources: Source[] = [];
  const endpoints: BenchEndpoint[] = [];
  while (endpoints.length < endpointCount) {
    const source = await provision(stage, await stage.institution(keysPerInstitution), studentsPerInstitution);
    sources.push(source);
    endpoints.push(await stage.endpoint(source.institution));
  }
  return { sources, endpoints, callsPerSecond: deliveriesPerSecond };
}

async function createOneInstitution(stage: ScenarioContext): Promise<Layout> {
  const source = await provision(stage, await stage.institution());
  const endpoints: BenchEndpoint[] = [];
  while (endpoints.length < endpointCount) endpoints.push(await stage.endpoint(source.institution));
  return { sources: [source], endpoints, callsPerSecond: deliveriesPerSecond / endpointCount };
}

/** Returns the events of institutions that have one of these endpoints. */
function expectedAt(endpoints: readonly BenchEndpoint[], sources: readonly Source[], calls: readonly Call[]): number {
  const ids = new Set(endpoints.map(({ institution }) => institution.id));
  const students = new Set(sources.filter(({ institution }) => ids.has(institution.id)).flatMap((source) => source.students));
  return successfulCalls(calls).filter(({ student }) => students.has(student)).length;
}

/** Makes calls at the layout's rate; returns the outcome of the watched endpoints. */
export async function load(stage: ScenarioContext, { sources, callsPerSecond }: Layout, watched: readonly BenchEndpoint[], forSeconds: number): Promise<{ calls: Call[]; outcome: Outcome }> {
  const measurement = await Measurement.begin(stage, watched);
  const calls = await publish(stage, { sources, perSecond: callsPerSecond, seconds: stage.scaled(forSeconds) });
  return { calls, outcome: await measurement.waitUntilEnded(expectedAt(watched, sources, calls), drainTimeoutMs) };
}

/** Returns the times from call to arrival at the watched endpoints. */
export const callToArrival = ({ calls, outcome }: { calls: Call[]; outcome: Outcome }): ReturnType<typeof percentiles> =>
  percentiles(latencies(causedEvents(calls, outcome.events), outcome.arrivals.values(), sinceCall));

/** Measures ten endpoints at 100 deliveries per second in total: call to arrival of nine while the tenth responds, and while it hangs. */
async function compare(stage: ScenarioContext, layout: Layout): Promise<object> {
  const nine = layout.endpoints.slice(1);
  const hanging = layout.endpoints.slice(0, 1);
  await load(stage, layout, layout.endpoints, warmSeconds);
  const without = await load(stage, layout, nine, measuredSeconds);
  for (const { path } of hanging) await receiver.setMode(path, { hang: hangSeconds });
  const during = await load(stage, layout, nine, measuredSeconds);
  await stage.remove(hanging);
  const [before, after] = [callToArrival(without), callToArrival(during)];
  return {
    what: 'call to arrival at the other nine',
    deliveries_per_s: deliveriesPerSecond,
    none_hangs: before,
    one_hangs: after,
    p99_ratio: rounded(after.p99_ms / before.p99_ms),
    ...summarizeOutcomes([without.outcome, during.outcome]),
  };
}

export const benchHangingOfTen = async (stage: ScenarioContext): Promise<object> => compare(stage, await createTenInstitutions(stage));
export const benchHangingOfOne = async (stage: ScenarioContext): Promise<object> => compare(stage, await createOneInstitution(stage));
