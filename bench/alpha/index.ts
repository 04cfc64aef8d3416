import type { BenchEnvironment } from '../environment';
import { call, seedStudents } from '../exams/people';
import type { BenchInstitution } from '../institutions';
import { median, rounded } from '../statistics';
import { seedCurriculum, seedLearner, seedPoints } from './learners';

const rounds = 7;
const callsPerRound = 40;
const pageSize = 50;

/** A school, and its student with the longest ledger and the most mastery. */
interface School {
  institution: BenchInstitution;
  studentId: string;
  /** The last page of that ledger. */
  lastPage: number;
}

/** The reads that must not take longer with long ledgers. */
const reads: Record<string, (school: School) => string> = {
  'GET /v1/alpha/leaderboard': () => '/alpha/leaderboard?limit=100',
  'GET /v1/alpha/students/{id}': ({ studentId }) => `/alpha/students/${studentId}`,
  'GET /v1/alpha/students/{id}/points': ({ studentId }) => `/alpha/students/${studentId}/points?limit=${pageSize}`,
  'GET /v1/alpha/students/{id}/points, the last page': ({ studentId, lastPage }) => `/alpha/students/${studentId}/points?limit=${pageSize}&page=${lastPage}`,
  'GET /v1/alpha/students/{id}/mastery': ({ studentId }) => `/alpha/students/${studentId}/mastery?limit=200`,
};

async function createSchool(environment: BenchEnvironment, name: string, students: number, entries: number): Promise<School> {
  const { sql } = environment.database;
  const institution = await environment.institution(name, 1);
  const ids = await seedStudents(environment, institution, students);
  const [studentId = ''] = ids;
  await seedLearner(sql, institution.id, studentId, await seedCurriculum(sql));
  const longest = await seedPoints(sql, institution.id, ids, entries);
  return { institution, studentId, lastPage: Math.ceil(longest / pageSize) };
}

/** Returns the median time of a read, one call after the other, in ms. */
async function medianCallMs(environment: BenchEnvironment, { institution }: School, path: string): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < callsPerRound; nth += 1) {
    const started = performance.now();
    await call(environment, institution, 'GET', path);
    times.push(performance.now() - started);
  }
  return median(times);
}

/** Measures leaderboard, drill-down, points and mastery of a school with 100,000 points entries against one with 1,000, alternating. */
export async function* benchAlpha(environment: BenchEnvironment): AsyncGenerator<object> {
  const api = await environment.startApi();
  try {
    const few = await createSchool(environment, 'points-few', 100, 1_000);
    const many = await createSchool(environment, 'points-many', 10_000, 100_000);
    for (const [name, pathOf] of Object.entries(reads)) {
      const both: { few: number; many: number }[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        const pair = { few: await medianCallMs(environment, few, pathOf(few)), many: await medianCallMs(environment, many, pathOf(many)) };
        // The first round warms up.
        if (round > 0) both.push(pair);
      }
      yield {
        bench: `${name}: 100,000 points entries against 1,000`,
        few_ms: rounded(median(both.map((pair) => pair.few))),
        many_ms: rounded(median(both.map((pair) => pair.many))),
        ratio: rounded(median(both.map((pair) => pair.many / pair.few))),
        rounds,
      };
    }
  } finally {
    await api.stop(5_000);
  }
}
