import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointEntity } from '../../db/entities/endpoint';
import { wakeupChannel } from '../../db/wakeups';
import { newId } from '../../domain/ids';
import { newWebhookSecret } from '../../domain/webhooks/signature';
import { receiverPort, type BenchEnvironment } from '../environment';
import { median, quantile, rounded } from '../statistics';
import { arrivalsOf, clock, forgetArrivals, type Arrival } from './arrivals';

const backlog = 5_000;
const backlogRounds = 3;
const eventsAStatement = 500;
const steadySeconds = 15;
const studentsInTurn = 400;

async function registerEndpoint({ database, domain, institutionId }: BenchEnvironment): Promise<void> {
  const now = new Date();
  await database.manager.insert(EndpointEntity, {
    id: newId('we'),
    institutionId,
    url: `http://127.0.0.1:${receiverPort}/hooks`,
    events: ['student.updated'],
    status: 'active',
    secretSealed: domain.secrets.seal(newWebhookSecret()),
    createdAt: now,
    updatedAt: now,
  });
}

/** Commits `count` events of about 1 kB in one transaction, so that they stand there all at once. */
async function commitEvents({ database, institutionId }: BenchEnvironment, count: number): Promise<void> {
  const data = JSON.stringify({ student_id: 'stu_bench', changed: ['full_name'], status: 'pending', padding: 'x'.repeat(700) });
  const connection = await database.pool.connect();
  try {
    await connection.query('BEGIN');
    for (let done = 0; done < count; done += eventsAStatement) {
      const events = Array.from({ length: Math.min(eventsAStatement, count - done) }, () => ({ id: newId('evt'), type: 'student.updated', data }));
      await connection.query('SELECT append_events($1, $2::json)', [institutionId, JSON.stringify(events)]);
    }
    await connection.query('COMMIT');
    await connection.query(`NOTIFY ${wakeupChannel}`);
  } finally {
    connection.release();
  }
}

async function drainBacklog(environment: BenchEnvironment, count: number): Promise<{ perSecond: number; arrived: number; duplicates: number }> {
  await forgetArrivals();
  await commitEvents(environment, count);
  const committed = clock();
  const seen = await arrivalsOf(count, 60_000);
  const last = Math.max(...seen.map(({ at }) => at));
  const arrived = new Set(seen.map(({ id }) => id)).size;
  return { perSecond: count / ((last - committed) / 1_000), arrived, duplicates: seen.length - arrived };
}

async function benchBacklog(environment: BenchEnvironment): Promise<object> {
  await drainBacklog(environment, backlog);
  const drained = [];
  for (let round = 0; round < backlogRounds; round += 1) drained.push(await drainBacklog(environment, backlog));
  return {
    bench: `webhooks: a backlog of ${backlog} events drains`,
    deliveries_per_s: Math.round(median(drained.map(({ perSecond }) => perSecond))),
    lost: backlog * backlogRounds - drained.reduce((sum, { arrived }) => sum + arrived, 0),
    duplicates: drained.reduce((sum, { duplicates }) => sum + duplicates, 0),
    rounds: backlogRounds,
  };
}

/** Ids of students that are updated in turn, so that each call's event can be told by its student and order. */
async function students({ apiUrl, keys }: BenchEnvironment): Promise<string[]> {
  const ids: string[] = [];
  for (let nth = 0; nth < studentsInTurn / 200; nth += 1) {
    const response = await fetch(`${apiUrl}/students/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys[0] ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ students: Array.from({ length: 200 }, () => ({})) }),
    });
    ids.push(...(await response.text()).match(/stu_\w+/g) ?? []);
  }
  return ids;
}

/** Calls at a fixed rate whatever the answers do, then matches each call with its arrival. */
async function benchSteady(environment: BenchEnvironment, ids: readonly string[], perSecond: number): Promise<object> {
  const { apiUrl, keys } = environment;
  const total = perSecond * steadySeconds;
  await forgetArrivals();
  const calls: { subject: string; at: number }[] = [];
  const answers: Promise<void>[] = [];
  const started = clock();
  for (let nth = 0; nth < total; nth += 1) {
    const due = started + (nth * 1_000) / perSecond;
    if (due > clock()) await sleep(due - clock());
    const subject = ids[nth % ids.length] ?? '';
    calls.push({ subject, at: clock() });
    answers.push(
      fetch(`${apiUrl}/students/${subject}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${keys[nth % keys.length] ?? ''}`, 'content-type': 'application/json' },
        body: JSON.stringify({ full_name: `${perSecond} a second, ${nth}` }),
      }).then(async (response) => {
        await response.text();
        if (!response.ok) throw new Error(`PATCH answered ${response.status}`);
      }),
    );
  }
  await Promise.all(answers);
  const seen = await arrivalsOf(total, 60_000);
  const latencies = latenciesOf(calls, seen);
  return {
    bench: `webhooks: steady ${perSecond}/s, call to arrival`,
    p50_ms: rounded(median(latencies), 1),
    p95_ms: rounded(quantile(latencies, 0.95), 1),
    p99_ms: rounded(quantile(latencies, 0.99), 1),
    lost: total - latencies.length,
    duplicates: seen.length - total,
    seconds: steadySeconds,
  };
}

/** The n-th call for a student caused its n-th event. */
function latenciesOf(calls: readonly { subject: string; at: number }[], seen: readonly Arrival[]): number[] {
  const arrivals = new Map<string, number[]>();
  for (const { subject, at } of seen) arrivals.set(subject, [...(arrivals.get(subject) ?? []), at]);
  return calls.flatMap(({ subject, at }) => {
    const arrived = arrivals.get(subject)?.shift();
    return arrived === undefined ? [] : [arrived - at];
  });
}

/** The webhook scenarios: a backlog, and steady rates from call to arrival. */
export async function benchWebhooks(environment: BenchEnvironment): Promise<object[]> {
  const receiver = await environment.program(
    'receiver',
    'bench/programs/receiver.js',
    { BENCH_PORT: String(receiverPort) },
    `http://127.0.0.1:${receiverPort}/seen`,
  );
  const api = await environment.startApi();
  const worker = await environment.startWorker();
  try {
    await registerEndpoint(environment);
    const ids = await students(environment);
    return [await benchBacklog(environment), await benchSteady(environment, ids, 50), await benchSteady(environment, ids, 200)];
  } finally {
    await worker.stop(10_000);
    await api.stop(5_000);
    await receiver.stop(5_000);
  }
}
