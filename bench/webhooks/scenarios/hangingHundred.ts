import { newId } from '../../../domain/ids';
import { scheduleExpiry } from '../../../domain/attempts/scheduleExpiry';
import { transact } from '../../../domain/transact';
import { rounded } from '../../statistics';
import { commitEvents } from '../commitEvents';
import { summarizeOutcomes } from '../figures';
import { provision, type Source } from '../publishing';
import { receiver } from '../receiver';
import type { BenchEndpoint, ScenarioContext } from '../scenarioContext';
import { callToArrival, load, type Layout } from './hanging';

const healthyCount = 9;
const hangingCount = 100;
const eventsPerEndpoint = 5;
const deliveriesPerSecond = 90;
const warmSeconds = 3;
const measuredSeconds = 20;
/** Longer than the timeout of an attempt. */
const hangSeconds = 15;
const keysPerInstitution = 3;
const studentsPerInstitution = 40;
/** From here on one attempt and one batch expire each second. */
const firstExpiryAfterMs = 3_000;
const expiryIntervalMs = 1_000;
const pollIntervalMs = 50;

/** Creates nine institutions with a responding endpoint each. */
async function healthyLayout(stage: ScenarioContext): Promise<Layout> {
  const sources: Source[] = [];
  const endpoints: BenchEndpoint[] = [];
  while (endpoints.length < healthyCount) {
    const source = await provision(stage, await stage.institution(keysPerInstitution), studentsPerInstitution);
    sources.push(source);
    endpoints.push(await stage.endpoint(source.institution));
  }
  return { sources, endpoints, callsPerSecond: deliveriesPerSecond };
}

/** Creates a hundred institutions with a hanging endpoint each, and commits events for all of them at the same time. */
async function createHangingEndpoints(stage: ScenarioContext): Promise<BenchEndpoint[]> {
  const endpoints: BenchEndpoint[] = [];
  while (endpoints.length < hangingCount) endpoints.push(await stage.endpoint(await stage.institution(1), '127.0.0.2'));
  for (const { path } of endpoints) await receiver.setMode(path, { hang: hangSeconds });
  for (const { institution } of endpoints) await commitEvents(stage.environment, institution, eventsPerEndpoint);
  return endpoints;
}

const exam = `INSERT INTO exams (id, institution_id, faculty_id, title, exam_type, status, max_score, time_limit_minutes, allow_late_submission,
    late_penalty_percentage, proctoring, ai_policy, published_at, created_at, updated_at)
  VALUES ($1, $2, $3, 'Bench', 'exam', 'published', 100, 60, true, 0, '{}', '{}', now(), now(), now())`;
const attempts = `INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, expires_at)
  SELECT 'att_bench_' || n, $2, $1, s, 'in_progress', now(), $4::timestamptz + (n - 1) * $5 * interval '1 millisecond' FROM unnest($3::text[]) WITH ORDINALITY AS u (s, n)`;

/** Returns how late expiries are processed while receivers hang, in ms. */
async function measureExpiryDelays(stage: ScenarioContext, { institution, students }: Source, what: 'attempts' | 'batches'): Promise<number[]> {
  const { database, domain, apiUrl } = stage.environment;
  const count = stage.scaled(measuredSeconds) - 1;
  const first = new Date(Date.now() + firstExpiryAfterMs);
  const ends = new Map<string, number>();
  if (what === 'attempts') {
    const examId = newId('exm');
    await database.sql(exam, [examId, institution.id, students[0]]);
    await database.sql(attempts, [examId, institution.id, students.slice(0, count), first, expiryIntervalMs]);
    for (let nth = 0; nth < count; nth += 1) ends.set(`att_bench_${nth + 1}`, first.getTime() + nth * expiryIntervalMs);
    await transact(domain, { institutionId: institution.id, now: new Date() }, (tx) => scheduleExpiry(tx, examId, first));
  } else {
    for (let nth = 0; nth < count; nth += 1) {
      const due = first.getTime() + nth * expiryIntervalMs;
      const response = await fetch(`${apiUrl}/coupons/batches`, {
        method: 'POST',
        headers: { authorization: `Bearer ${institution.keys[0] ?? ''}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Bench ${nth}`, total_coupons: 1, value_cents: 1, expiry_date: new Date(due).toISOString() }),
      });
      const id = /cpb_\w+/.exec(await response.text())?.[0];
      if (id === undefined) throw new Error(`POST /coupons/batches returned ${response.status}`);
      ends.set(id, due);
    }
  }
  const ended = what === 'attempts' ? "SELECT id FROM attempts WHERE id = ANY ($1) AND status = 'abandoned'" : "SELECT id FROM coupon_batches WHERE id = ANY ($1) AND status = 'expired'";
  const late: number[] = [];
  await stage.until(
    `the end of ${what}`,
    async () => {
      const rows = await database.sql<{ id: string }>(ended, [[...ends.keys()]]);
      for (const { id } of rows) {
        late.push(Date.now() - (ends.get(id) ?? 0));
        ends.delete(id);
      }
      return ends.size === 0;
    },
    60_000,
    pollIntervalMs,
  );
  return late;
}

/** Measures nine responding endpoints, without and with a hundred hanging ones of a hundred institutions: call to arrival, and the delay of expiries. */
export async function benchHangingHundred(stage: ScenarioContext): Promise<object> {
  const layout = await healthyLayout(stage);
  const [source] = layout.sources;
  if (source === undefined) throw new Error('There is no institution');
  await load(stage, layout, layout.endpoints, warmSeconds);
  const without = await load(stage, layout, layout.endpoints, measuredSeconds);
  const hanging = await createHangingEndpoints(stage);
  const [during, attemptsLate, batchesLate] = await Promise.all([
    load(stage, layout, layout.endpoints, measuredSeconds),
    measureExpiryDelays(stage, source, 'attempts'),
    measureExpiryDelays(stage, source, 'batches'),
  ]);
  await stage.remove(hanging);
  const [before, after] = [callToArrival(without), callToArrival(during)];
  return {
    what: 'call to arrival at the nine that respond',
    deliveries_per_s: deliveriesPerSecond,
    none_hangs: before,
    a_hundred_hang: after,
    p99_ratio: rounded(after.p99_ms / before.p99_ms),
    attempt_ends_late_ms: rounded(Math.max(...attemptsLate)),
    batch_ends_late_ms: rounded(Math.max(...batchesLate)),
    ...summarizeOutcomes([without.outcome, during.outcome]),
  };
}
