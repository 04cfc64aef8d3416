import { barePort } from '../../environment';
import { median, rounded } from '../../statistics';
import { summarizeOutcomes, causedEvents, latencies, percentiles, sinceCommit } from '../figures';
import { Measurement } from '../measurement';
import { successfulCalls, provision, publish, type Call, type Source } from '../publishing';
import type { ScenarioContext } from '../scenarioContext';

const rounds = 3;
const secondsPerRound = 5;
const connections = 32;
const drainTimeoutMs = 60_000;

/** Returns the completed calls per second, from the first to the last. */
function perSecond(calls: readonly Call[]): number {
  const good = successfulCalls(calls);
  const first = Math.min(...good.map(({ start }) => start));
  const last = Math.max(...good.map(({ end }) => end));
  return good.length / ((last - first) / 1_000);
}

/** Runs the work with a bare handler, which commits for an institution of its own without deliveries. */
async function withBareHandler<Result>(stage: ScenarioContext, source: Source, work: (url: string) => Promise<Result>): Promise<Result> {
  const bare = await stage.environment.program(
    'bare',
    'bench/programs/bareHandler.js',
    { BENCH_PORT: String(barePort), BENCH_INSTITUTION: source.institution.id },
    `http://127.0.0.1:${barePort}/`,
  );
  try {
    return await work(`http://127.0.0.1:${barePort}/v1`);
  } finally {
    await bare.stop(5_000);
  }
}

/** Measures one event per call, as fast as responses arrive, alternating with a bare handler that commits the same transaction. */
export async function benchCalls(stage: ScenarioContext): Promise<object> {
  const service = await provision(stage, await stage.institution());
  const bareSource = await provision(stage, await stage.institution());
  const endpoint = await stage.endpoint(service.institution);
  const seconds = stage.scaled(secondsPerRound);
  return withBareHandler(stage, bareSource, async (bareUrl) => {
    const load = (source: Source, url: string, forSeconds: number): Promise<Call[]> =>
      publish(stage, { sources: [source], perSecond: null, seconds: forSeconds, connections, url });
    const { apiUrl } = stage.environment;
    await load(bareSource, bareUrl, 1);
    const warm = await Measurement.begin(stage, [endpoint]);
    await warm.waitUntilEnded(successfulCalls(await load(service, apiUrl, 2)).length, drainTimeoutMs);

    const pairs: { service: number; bare: number }[] = [];
    const outcomes = [];
    const commitToArrival: number[] = [];
    let refused = 0;
    for (let round = 0; round < rounds; round += 1) {
      const measurement = await Measurement.begin(stage, [endpoint]);
      const calls = await load(service, apiUrl, seconds);
      const outcome = await measurement.waitUntilEnded(successfulCalls(calls).length, drainTimeoutMs);
      outcomes.push(outcome);
      refused += calls.length - successfulCalls(calls).length;
      commitToArrival.push(...latencies(causedEvents(calls, outcome.events), outcome.arrivals.values(), sinceCommit));
      pairs.push({ service: perSecond(calls), bare: perSecond(await load(bareSource, bareUrl, seconds)) });
    }
    return {
      what: 'commit to arrival',
      calls_per_s: Math.round(median(pairs.map((pair) => pair.service))),
      bare_per_s: Math.round(median(pairs.map(({ bare }) => bare))),
      ratio: rounded(median(pairs.map((pair) => pair.service / pair.bare))),
      rounds,
      calls_not_2xx: refused,
      ...percentiles(commitToArrival),
      ...summarizeOutcomes(outcomes),
    };
  });
}
