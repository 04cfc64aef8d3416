import { setTimeout as sleep } from 'node:timers/promises';
import { benchClient, requestBenchData } from './benchClient';
import { receiverControlPort, receiverPort, type BenchEnvironment } from './environment';
import type { BenchInstitution } from './institutions';
import { processorSeconds } from './processorTime';
import { rounded } from './statistics';
import { startSteadyLoad } from './steadyLoad';
import { receiver } from './webhooks/receiver';

const perSecond = 100;
const seconds = 15;
const warmSeconds = 4;
/** Longer than the sender takes for what the last calls caused. */
const settleMs = 3_000;
const students = 400;
const studentsPerCall = 200;
const bulkCallsPerSecond = 1;
const processes = ['api', 'worker', 'postgres', 'redis', 'temporal'];

/** A kind of call whose cost is measured. */
interface Kind {
  name: string;
  /** How many of what is counted one call makes: 1, or the students of a bulk call. */
  counted: number;
  perSecond: number;
  call: (nth: number) => Promise<unknown>;
}

/** What has been used so far. */
interface Used {
  cpu: Record<string, number>;
  walBytes: number;
  diskBytes: number;
}

async function readUsed({ pids, database }: BenchEnvironment): Promise<Used> {
  const [row] = await database.sql<{ wal: number; disk: number }>(
    "SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal, (SELECT sum(pg_relation_size(oid))::float8 FROM pg_class WHERE relkind IN ('r', 'i', 't', 'm')) AS disk",
  );
  return {
    cpu: Object.fromEntries(processes.map((name) => [name, processorSeconds(pids.get(name) ?? 0)])),
    walBytes: row?.wal ?? 0,
    diskBytes: row?.disk ?? 0,
  };
}

/** Creates the students that calls read and change. */
async function createStudents(environment: BenchEnvironment, institution: BenchInstitution): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < students) {
    const { results } = await benchClient(environment, institution).call('POST', '/students/bulk', { body: { students: Array.from({ length: studentsPerCall }, () => ({})) } });
    ids.push(...results.flatMap((result) => ('id' in result ? [result.id] : [])));
  }
  return ids;
}

/** Returns the kinds of calls, of institutions with no endpoint, one and ten that receive each change. */
async function kindsOf(environment: BenchEnvironment): Promise<Kind[]> {
  const { apiUrl } = environment;
  const quiet = await environment.institution('costs-quiet');
  const [one, ten] = [await environment.institution('costs-one'), await environment.institution('costs-ten')];
  const ids = new Map([[quiet, await createStudents(environment, quiet)], [one, await createStudents(environment, one)], [ten, await createStudents(environment, ten)]]);
  const request = (school: BenchInstitution, nth: number, method: string, path: string, body?: object): Promise<unknown> =>
    requestBenchData({ method, url: apiUrl + path, token: school.keys[nth % school.keys.length], ...(body === undefined ? {} : { body }) });
  const studentOf = (school: BenchInstitution, nth: number): string => ids.get(school)?.[nth % students] ?? '';
  const addEndpoint = (school: BenchInstitution, nth: number): Promise<unknown> =>
    request(school, nth, 'POST', '/webhooks/endpoints', { url: `http://127.0.0.1:${receiverPort}/hooks/costs/${school.id}/${nth}`, events: ['student.updated'] });
  await addEndpoint(one, 0);
  for (let nth = 0; nth < 10; nth += 1) await addEndpoint(ten, nth);
  const since = new Date(Date.now() - 60_000).toISOString();
  const usual = { counted: 1, perSecond };
  const change = (school: BenchInstitution) => (nth: number) => request(school, nth, 'PATCH', `/students/${studentOf(school, nth)}`, { full_name: `Student ${nth}` });
  return [
    { ...usual, name: 'GET /students/{id}', call: (nth) => request(quiet, nth, 'GET', `/students/${studentOf(quiet, nth)}`) },
    { ...usual, name: 'GET /students?limit=50', call: (nth) => request(quiet, nth, 'GET', '/students?limit=50') },
    { ...usual, name: 'GET /events?limit=50', call: (nth) => request(quiet, nth, 'GET', `/events?since=${since}&limit=50`) },
    { ...usual, name: 'POST /students', call: (nth) => request(quiet, nth, 'POST', '/students', { full_name: `Student ${nth}` }) },
    { ...usual, name: 'PATCH /students/{id}, no endpoint', call: change(quiet) },
    { ...usual, name: 'PATCH /students/{id}, one delivery', call: change(one) },
    { ...usual, name: 'PATCH /students/{id}, ten deliveries', perSecond: perSecond / 5, call: change(ten) },
    {
      name: 'POST /students/bulk, a student', counted: studentsPerCall, perSecond: bulkCallsPerSecond,
      call: (nth) => request(quiet, nth, 'POST', '/students/bulk', { students: Array.from({ length: studentsPerCall }, (_, each) => ({ full_name: `Student ${each}` })) }),
    },
  ];
}

/** Measures what 1,000 calls of each kind cost in CPU time of every process, in WAL and on disk; what the idle stack uses in that time is taken off. */
export async function* benchCosts(environment: BenchEnvironment): AsyncGenerator<object> {
  const receiverProgram = await environment.program('receiver', 'bench/programs/receiver.js', { BENCH_PORT: String(receiverPort), BENCH_CONTROL_PORT: String(receiverControlPort) }, receiver.readyUrl);
  const api = await environment.startApi();
  const worker = await environment.startWorker();
  const during = async (work: () => Promise<number>): Promise<{ calls: number; took: number; before: Used; after: Used }> => {
    const [before, begun] = [await readUsed(environment), performance.now()];
    const calls = await work();
    await sleep(settleMs);
    return { calls, took: (performance.now() - begun) / 1_000, before, after: await readUsed(environment) };
  };
  const load = async ({ perSecond: rate, call }: Kind, forSeconds: number): Promise<number> => {
    const running = startSteadyLoad(rate, call);
    await sleep(forSeconds * 1_000);
    return running.stop();
  };
  try {
    const kinds = await kindsOf(environment);
    for (const kind of kinds) await load(kind, warmSeconds);
    // Each connection keeps plans from when the tables were empty until statistics are updated.
    await environment.database.sql('ANALYZE');
    const idle = await during(async () => { await sleep(seconds * 1_000); return 0; });
    const idlePerSecond = (name: string): number => ((idle.after.cpu[name] ?? 0) - (idle.before.cpu[name] ?? 0)) / idle.took;
    for (const kind of kinds) {
      const { calls, took, before, after } = await during(() => load(kind, seconds));
      const thousands = (calls * kind.counted) / 1_000;
      const cpu = processes.map((name): [string, number] => [name, Math.max(0, (after.cpu[name] ?? 0) - (before.cpu[name] ?? 0) - idlePerSecond(name) * took) / thousands]);
      yield {
        bench: `costs: ${kind.name}`,
        calls,
        cpu_s_per_1000: Object.fromEntries([...cpu, ['total', cpu.reduce((sum, [, each]) => sum + each, 0)] as const].map(([name, each]) => [name, rounded(each, 3)])),
        wal_mb_per_1000: rounded((after.walBytes - before.walBytes) / 1e6 / thousands, 2),
        disk_mb_per_1000: rounded((after.diskBytes - before.diskBytes) / 1e6 / thousands, 2),
      };
    }
  } finally {
    await worker.stop(10_000);
    await api.stop(5_000);
    await receiverProgram.stop(5_000);
  }
}
