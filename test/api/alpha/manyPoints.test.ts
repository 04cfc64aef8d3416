import { seedStudents } from '../../support/seed/students';
import type { TestInstitution } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { gatherStatistics } from '../../support/statistics';

const { api } = apiFixture({ institutionPer: 'none' });
let few: School;
let many: School;

beforeAll(async () => {
  few = await school(100, 1_000);
  many = await school(5_000, 100_000);
});

interface School {
  institution: TestInstitution;
  studentId: string;
}

/** A school whose students share so many entries of points; one of them has half of all. */
async function school(students: number, entries: number): Promise<School> {
  const institution = await api.institution();
  const ids = await seedStudents(api, institution, students);
  const rest = Math.floor(entries / 2 / (students - 1));
  const lengths = ids.map((_id, nth) => (nth === 0 ? entries - rest * (students - 1) : rest));
  const { sql } = api.api.domain.database;
  await sql(
    `INSERT INTO alpha_points (id, institution_id, student_id, number, points, balance, ref, created_at)
     SELECT s || '_' || n, $1, s, n, 1, n, s || '_' || n, now() FROM unnest($2::text[], $3::int[]) AS ledger (s, length), generate_series(1, length) n`,
    [institution.id, ids, lengths],
  );
  await sql(
    `INSERT INTO alpha_students (student_id, institution_id, points, points_earned, last_number)
     SELECT s, $1, length, length, length FROM unnest($2::text[], $3::int[]) AS ledger (s, length)`,
    [institution.id, ids, lengths],
  );
  await gatherStatistics(api);
  return { institution, studentId: ids[0] ?? '' };
}

const median = (times: readonly number[]): number => [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

async function timed({ institution }: School, path: string): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < 15; nth += 1) {
    const started = performance.now();
    const { status } = await api.call('GET', path, { key: institution.apiKey });
    times.push(performance.now() - started);
    expect(status).toBe(200);
  }
  return median(times);
}

it.each<[string, (school: School) => string]>([
  ['the leaderboard', () => '/alpha/leaderboard?limit=100'],
  ['the drill-down', ({ studentId }) => `/alpha/students/${studentId}`],
  ['the newest points', ({ studentId }) => `/alpha/students/${studentId}/points`],
  ['older points', ({ studentId }) => `/alpha/students/${studentId}/points?page=10`],
])('%s: less than three times as long with 100,000 entries of points as with 1,000', async (_name, pathOf) => {
  const ratios: number[] = [];
  // Everything else that runs on this machine disturbs one round or another, not all of them.
  while (ratios.length < 6 && (ratios.at(-1) ?? 3) >= 3) {
    const time = await timed(few, pathOf(few));
    ratios.push((await timed(many, pathOf(many))) / time);
  }
  expect(Math.min(...ratios)).toBeLessThan(3);
});
