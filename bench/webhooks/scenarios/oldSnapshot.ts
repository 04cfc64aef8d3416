import { withConnection } from '../../../local/programs/postgres';
import { rounded } from '../../statistics';
import { summarizeOutcomes } from '../figures';
import { provision, type PublishOptions } from '../publishing';
import type { BenchEndpoint, ScenarioContext } from '../scenarioContext';
import { callToArrival, failedCalls, measureSteadyCalls, warmUp, type SteadyCalls } from '../steadyCalls';

const defaultRate = 200;
const defaultMinutes = 10;
const defaultStudents = 400;
const minuteSeconds = 60;

function readCount(name: string, usual: number): number {
  const count = Number(process.env[name] ?? usual);
  if (!(Number.isInteger(count) && count > 0)) throw new Error(`${name} must be a positive integer`);
  return count;
}

/** Measures a minute of steady calls, and says on stderr what it came to: ten minutes are long. */
async function measureMinute(stage: ScenarioContext, endpoint: BenchEndpoint, calling: Omit<PublishOptions, 'seconds'>): Promise<SteadyCalls> {
  const measured = await measureSteadyCalls(stage, endpoint, calling, minuteSeconds);
  const { p50_ms, p99_ms } = callToArrival(measured);
  process.stderr.write(`  old-snapshot, a minute: p50 ${p50_ms} ms, p99 ${p99_ms} ms, Postgres ${rounded(measured.outcome.cpuSeconds.postgres ?? 0, 1)} s\n`);
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
  const students = readCount('BENCH_SNAPSHOT_STUDENTS', defaultStudents);
  const source = await provision(stage, await stage.institution(), students);
  const endpoint = await stage.endpoint(source.institution);
  const calling = { sources: [source], perSecond };
  await warmUp(stage, endpoint, calling);
  const without = await measureMinute(stage, endpoint, calling);
  const during = await withOldSnapshot(stage, async () => {
    const measured: SteadyCalls[] = [];
    for (let minute = 0; minute < minutes; minute += 1) measured.push(await measureMinute(stage, endpoint, calling));
    return measured;
  });
  const all = [without, ...during];
  const [before, after] = [callToArrival(without), callToArrival(during.at(-1) ?? without)];
  return {
    what: 'call to arrival',
    calls_per_s: perSecond,
    students,
    minutes,
    calls_not_2xx: failedCalls(all),
    before,
    last_minute: after,
    p99_ratio: rounded(after.p99_ms / before.p99_ms),
    p99_ms_by_minute: all.map((minute) => callToArrival(minute).p99_ms),
    postgres_cpu_s_by_minute: all.map(({ outcome }) => rounded(outcome.cpuSeconds.postgres ?? 0, 1)),
    ...summarizeOutcomes(all.map(({ outcome }) => outcome)),
  };
}
