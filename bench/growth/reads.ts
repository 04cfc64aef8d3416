import { institutionScope, type InstitutionScope } from '../../db/database';
import { countPeople } from '../../db/repositories/institutions/profile';
import { listStudents, type StudentFilter } from '../../db/repositories/students/students';
import type { Sql } from '../../db/statement';
import { licenseCountsAt } from '../../domain/licenses/countLicenses';
import { requestBenchData } from '../benchClient';
import type { BenchEnvironment } from '../environment';
import type { BenchInstitution } from '../institutions';
import { median, quantile, rounded } from '../statistics';
import type { FilledInstitution } from './fill';

const warmCalls = 10;
const calls = 200;
const studentsPerPage = 50;
const dayMs = 86_400_000;

/** A call, and the same reads without the API. */
interface Read {
  what: string;
  path: string;
  read: (scope: InstitutionScope) => Promise<unknown>;
  /** What the 99th percentile of the database's time is to be, in ms. */
  databaseBoundMs: number;
}

const listBoundMs = 30;
const countBoundMs = 10;

function readsOf({ institution: { loginDomain }, groupId }: FilledInstitution, students: number): Read[] {
  const middle = Math.ceil(students / 2);
  const since = new Date(Date.now() - dayMs);
  const filters: [string, StudentFilter][] = [
    ['without a filter', {}],
    ['by status active', { status: 'active' }],
    ['by status pending', { status: 'pending' }],
    ['by status suspended', { status: 'suspended' }],
    ['by student_id', { student_id: `SIS-${middle}` }],
    ['by student_id of nobody', { student_id: 'SIS-0' }],
    ['by email', { email: `student${middle}.00000000@${loginDomain}` }],
    ['by group_id', { group_id: groupId }],
    ['updated since yesterday', { updated_since: since }],
  ];
  return [
    ...filters.map(([what, filter]) => listRead(what, filter)),
    // Counts of people and of licenses.
    { what: 'GET /institution', path: '/institution', read: (scope) => Promise.all([countPeople(scope), licenseCountsAt(scope, new Date())]), databaseBoundMs: countBoundMs },
    { what: 'GET /licenses/summary', path: '/licenses/summary', read: (scope) => licenseCountsAt(scope, new Date()), databaseBoundMs: countBoundMs },
  ];
}

function listRead(what: string, filter: StudentFilter): Read {
  const query = new URLSearchParams({ limit: String(studentsPerPage) });
  for (const [name, value] of Object.entries(filter)) query.set(name, value instanceof Date ? value.toISOString() : String(value));
  return {
    what: `GET /students ${what}`,
    path: `/students?${query.toString()}`,
    read: (scope) => listStudents(scope, filter, { page: 1, limit: studentsPerPage }),
    databaseBoundMs: listBoundMs,
  };
}

const summary = (samples: readonly number[]): Record<'p50' | 'p95' | 'p99', number> => ({
  p50: rounded(median(samples)),
  p95: rounded(quantile(samples, 0.95)),
  p99: rounded(quantile(samples, 0.99)),
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Repeats a call, one at a time, with each key in turn; returns the time of each. */
async function timeCalls({ apiUrl }: BenchEnvironment, { keys }: BenchInstitution, { path }: Read): Promise<number[]> {
  const times: number[] = [];
  for (let nth = -warmCalls; nth < calls; nth += 1) {
    const token = keys[(nth + warmCalls) % keys.length];
    const ms = await timed(() => requestBenchData({ method: 'GET', url: apiUrl + path, token }, 5));
    if (nth >= 0) times.push(ms);
  }
  return times;
}

/** Repeats the reads of a call; returns for each how long its statements took together, as who sends them waits for them. */
async function timeStatements({ database }: BenchEnvironment, { id }: BenchInstitution, { read }: Read): Promise<number[]> {
  const times: number[] = [];
  for (let nth = -warmCalls; nth < calls; nth += 1) {
    let total = 0;
    const scope = institutionScope(database, id);
    const sql = async <Row extends object>(query: Parameters<Sql>[0], values?: readonly unknown[]): Promise<Row[]> => {
      const begun = performance.now();
      try {
        return await scope.sql<Row>(query, values);
      } finally {
        total += performance.now() - begun;
      }
    };
    await read({ ...scope, sql });
    if (nth >= 0) times.push(total);
  }
  return times;
}

/** Measures the first page of students, by every single filter, and the counts; one line each. */
export async function* benchReads(environment: BenchEnvironment, filled: FilledInstitution, students: number): AsyncGenerator<object> {
  const { institution } = filled;
  const api = await environment.startApi();
  try {
    for (const read of readsOf(filled, students)) {
      const callMs = summary(await timeCalls(environment, institution, read));
      const databaseMs = summary(await timeStatements(environment, institution, read));
      yield { bench: `growth: ${read.what}`, call_ms: callMs, database_ms: databaseMs, database_p99_bound_ms: read.databaseBoundMs, met: databaseMs.p99 <= read.databaseBoundMs, calls };
    }
  } finally {
    await api.stop(5_000);
  }
}
