import { withConnection } from '../../../local/programs/postgres';
import { rounded } from '../../statistics';
import { summarizeOutcomes, causedEvents, latencies, percentiles, sinceCall } from '../figures';
import { Measurement, type Outcome } from '../measurement';
import { provision, publish, successfulCalls, type Call, type PublishOptions } from '../publishing';
import type { BenchEndpoint, ScenarioContext } from '../scenarioContext';

const defaultRate = 200;
const defaultMinutes = 10;
const minuteSeconds = 60;
const warmSeconds = 3;
const drainTimeoutMs = 60_000;

interface MeasuredMinute {
  calls: Call[];
  outcome: Outcome;
}

function readCount(name: string, usual: number): number {
  const count = Number(process.env[name] ?? usual);
  if (!(Number.isInteger(count) && count > 0)) throw new Error(`${name} must be a positive integer`);
  return count;
}

const callToArrival = ({ calls, outcome }: MeasuredMinute): ReturnType<typeof percentiles> =>
  percentiles(latencies(causedEvents(calls, outcome.events), outcome.arrivals.values(), sinceCall));

/** Measures steady calls, and says what they came to on stderr: ten minutes are long. */
async function measureMinute(stage: ScenarioContext, endpoint: BenchEndpoint, calling: Omit<PublishOptions, 'seconds'>, seconds: number): Promise<MeasuredMinute> {
  const measurement = await Measurement.begin(stage, [endpoint]);
  const calls = await publish(stage, { ...calling, seconds });
  const measured = { calls, outcome: await measurement.waitUntilEnded(successfulCalls(calls).length, drainTimeoutMs) };
  const { p50_ms, p99_ms } = callToArrival(measured);
  process.stderr.write(`  old-snapshot, ${seconds} s of calls: p50 ${p50_ms} ms, p99 ${p99_ms} ms, Postgres ${rounded(measured.outcome.cpuSeconds.postgres ?? 0, 1)} s\n`);
  return measured;
}

/** Runs `work` while a transaction is open whose snapshot is from before it. */
async function withOldSnapshot<Result>({ environment }: ScenarioContext, work: () => Promise<Result>): Promise<Result> {
  return withConnection(environment.stores.ownerDatabaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query('SELECT count(*) FROM institutions');
    const result = await work();
    await client.query('COMMIT');
    return result;
  });
}

/** Steady calls for a minute without, then for minutes with an old snapshot, which keeps Postgres from removing the rows that have passed through. */
export async function benchOldSnapshot(stage: ScenarioContext): Promise<object> {
  const [perSecond, minutes] = [readCount('BENCH_SNAPSHOT_RATE', defaultRate), readCount('BENCH_SNAPSHOT_MINUTES', defaultMinutes)];
  const source = await provision(stage, await stage.institution());
  const endpoint = await stage.endpoint(source.institution);
  const calling = { sources: [source], perSecond };
  await measureMinute(stage, endpoint, calling, stage.scaled(warmSeconds));
  const without = await measureMinute(stage, endpoint, calling, stage.scaled(minuteSeconds));
  const during = await withOldSnapshot(stage, async () => {
    const measured: MeasuredMinute[] = [];
    for (let minute = 0; minute < minutes; minute += 1) measured.push(await measureMinute(stage, endpoint, calling, stage.scaled(minuteSeconds)));
    return measured;
  });
  const all = [without, ...during];
  const [before, after] = [callToArrival(without), callToArrival(during.at(-1) ?? without)];
  return {
    what: 'call to arrival',
    calls_per_s: perSecond,
    minutes,
    calls_not_2xx: all.reduce((sum, { calls }) => sum + calls.length - successfulCalls(calls).length, 0),
    before,
    last_minute: after,
    p99_ratio: rounded(after.p99_ms / before.p99_ms),
    p99_ms_by_minute: all.map((minute) => callToArrival(minute).p99_ms),
    postgres_cpu_s_by_minute: all.map(({ outcome }) => rounded(outcome.cpuSeconds.postgres ?? 0, 1)),
    ...summarizeOutcomes(all.map(({ outcome }) => outcome)),
  };
}
