import { randomBytes } from 'node:crypto';
import { institutionScope } from '../db/database';
import { insertPeople } from '../db/repositories/people/people';
import { newId } from '../domain/ids';
import { benchClient } from './benchClient';
import type { BenchEnvironment } from './environment';
import { median, quantile, rounded } from './statistics';

const items = 200;
const calls = 20;

async function provisionThroughApi(environment: BenchEnvironment): Promise<number> {
  const students = Array.from({ length: items }, (_, index) => ({ full_name: `Student ${index}` }));
  const started = performance.now();
  const { created } = await benchClient(environment, environment).call('POST', '/students/bulk', { body: { students } });
  if (created !== items) throw new Error(`POST /students/bulk created ${created} of ${items}`);
  return performance.now() - started;
}

/** The baseline: one statement that inserts the same users, emails and licenses, without events. */
async function insertRows({ database, institutionId }: BenchEnvironment): Promise<number> {
  const now = new Date();
  const people = Array.from({ length: items }, (_, index) => ({
    id: newId('stu'),
    license_id: newId('lic'),
    hex: randomBytes(4).toString('hex'),
    full_name: `Student ${index}`,
    external_id: null,
    is_admin: false,
    personal_email_sealed: null,
    personal_email_hmac: null,
    expires_at: now.toISOString(),
  }));
  const scope = institutionScope(database, institutionId);
  const started = performance.now();
  await insertPeople(scope, { kind: 'student', status: 'pending', licenseType: 'student', maxActivations: 2, now }, people);
  return performance.now() - started;
}

/** Measures bulk provisioning of 200 students, one call after another, against one multi-row insert of the same rows. */
export async function benchBulk(environment: BenchEnvironment): Promise<object[]> {
  const api = await environment.startApi();
  const worker = await environment.startWorker();
  try {
    for (let warm = 0; warm < 3; warm += 1) {
      await provisionThroughApi(environment);
      await insertRows(environment);
    }
    const pairs: { call: number; insert: number }[] = [];
    for (let nth = 0; nth < calls; nth += 1) {
      pairs.push({ call: await provisionThroughApi(environment), insert: await insertRows(environment) });
    }
    const callMs = pairs.map(({ call }) => call);
    const insertMs = median(pairs.map(({ insert }) => insert));
    return [
      {
        bench: 'POST /v1/students/bulk of 200',
        p50_ms: Math.round(median(callMs)),
        p95_ms: Math.round(quantile(callMs, 0.95)),
        students_per_s: Math.round(items / (median(callMs) / 1_000)),
        insert_rows_per_s: Math.round(items / (insertMs / 1_000)),
        ratio: rounded(median(pairs.map(({ call, insert }) => insert / call)), 3),
        calls,
      },
    ];
  } finally {
    await worker.stop(10_000);
    await api.stop(5_000);
  }
}
