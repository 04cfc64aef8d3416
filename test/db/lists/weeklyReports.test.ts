import { institutionScope } from '../../../db/database';
import { listReports } from '../../../db/repositories/reports/weekly';
import type { Sql } from '../../../db/statement';
import type { TestInstitution } from '../../support/api';
import { seedStudents } from '../../support/seed/students';
import { seedGuardians } from '../../support/seed/guardians';
import { withExplain } from '../../support/queryPlans';
import { seededRandom } from '../../support/seededRandom';
import { apiFixture } from '../../support/apiFixture';
import { vacuum } from '../../support/statistics';

const { api } = apiFixture({ institutionPer: 'none' });
const sql: Sql = (query, values) => api.api.domain.database.sql(query, values);

/** Reports of so many weeks of students, those of 200 written at once, as the workflow does. */
async function seedReports(institution: TestInstitution, studentIds: readonly string[], weeks: number): Promise<void> {
  await sql(
    `INSERT INTO weekly_reports (id, institution_id, student_id, week, minutes, days_met, points, points_balance, concepts_mastered, streak_days, badges, created_at)
     SELECT 'rep_' || s || '_' || lpad(n::text, 3, '0'), $1, s, date '2024-01-01' + 7 * n, 1, 0, 0, 0, 0, 0, '{}', timestamptz '2024-01-08 12:10Z' + n * interval '7 days' + (nth - 1) / 200 * interval '1 second'
       FROM unnest($2::text[]) WITH ORDINALITY t (s, nth), generate_series(1, $3::int) n`,
    [institution.id, studentIds, weeks],
  );
}

/** A school whose guardians were all verified before the first report but for those of the first few students, verified amid them. */
async function school(students: number, weeks: number): Promise<TestInstitution> {
  const institution = await api.institution();
  const ids = await seedStudents(api, institution, students);
  await seedGuardians(api, institution, ids);
  await seedReports(institution, ids, weeks);
  await sql("UPDATE guardian_links SET verified_at = '2023-12-01' WHERE institution_id = $1 AND student_id <> ALL ($2::text[])", [institution.id, ids.slice(0, 5)]);
  await sql("UPDATE guardian_links SET verified_at = timestamptz '2024-01-08 00:00Z' + $3 * interval '7 days' / 2 WHERE institution_id = $1 AND student_id = ANY ($2::text[])", [institution.id, ids.slice(0, 5), weeks]);
  return institution;
}

it('the first page of 40,000 reports costs what that of 800 costs, and an index alone counts them', async () => {
  // In both, the newest 200 have the same time, and the page sorts them: the only difference is how many come before them.
  const [few, many] = [await school(200, 4), await school(800, 50)];
  await vacuum(api);
  const read = async ({ id }: TestInstitution) => {
    const { scope, done } = withExplain(institutionScope(api.api.domain.database, id));
    const { rows, total } = await listReports(scope, {}, { page: 1, limit: 20 });
    expect(rows).toHaveLength(20);
    return { total, count: done[0], blocks: done[1]?.blocks ?? Number.NaN };
  };
  const [first, other] = [await read(few), await read(many)];
  expect([first.total, other.total]).toEqual([800, 40_000]);
  // Both look at some 850: twice as many would leave room for a scan of all 40,000.
  expect(other.blocks).toBeLessThan(1.25 * first.blocks);
  expect(other.count?.scans.filter((scan) => scan.startsWith('weekly_reports'))).toEqual(['weekly_reports: Index Only Scan']);
});

/** A small school by chance: reports and verified links on few days, so that many items are of one moment. */
async function randomSchool(seed: number): Promise<TestInstitution> {
  const random = seededRandom(seed);
  const institution = await api.institution();
  const ids = await seedStudents(api, institution, 5);
  await seedGuardians(api, institution, ids);
  await seedReports(institution, ids, 6);
  const rows = await sql<{ id: string }>('SELECT id FROM weekly_reports WHERE institution_id = $1 ORDER BY id', [institution.id]);
  const someDay = (): Date => new Date(Date.UTC(2024, 0, 1 + Math.floor(random() * 12)));
  await sql('UPDATE weekly_reports r SET created_at = at FROM unnest($1::text[], $2::timestamptz[]) AS d (id, at) WHERE r.id = d.id', [rows.map(({ id }) => id), rows.map(someDay)]);
  await sql(
    'UPDATE guardian_links l SET verified_at = at, accepted_at = coalesce(at, accepted_at) FROM unnest($1::text[], $2::timestamptz[]) AS d (student_id, at) WHERE l.student_id = d.student_id',
    [ids, ids.map(() => (random() < 0.8 ? someDay() : null))],
  );
  return institution;
}

it.each([1, 2, 3, 4, 5, 6])('pages have every report once for each verified link, by the later of both moments, and since restricts them (school %i)', async (seed) => {
  const { id: institutionId } = await randomSchool(seed);
  const scope = institutionScope(api.api.domain.database, institutionId);
  for (const since of [undefined, ...[1, 4, 8, 12].map((day) => new Date(Date.UTC(2024, 0, day)))]) {
    const items = await sql<{ id: string; guardian_id: string }>(
      `SELECT r.id, l.id AS guardian_id FROM weekly_reports r JOIN guardian_links l ON l.student_id = r.student_id
        WHERE r.institution_id = $1 AND l.verified_at IS NOT NULL AND greatest(r.created_at, l.verified_at) > $2
        ORDER BY greatest(r.created_at, l.verified_at) DESC, r.id DESC, l.id DESC`,
      [institutionId, since ?? '-infinity'],
    );
    for (const limit of [1, 4, 7, 50]) {
      const pages = [];
      for (let page = 1; page <= Math.ceil(items.length / limit) + 1; page += 1) {
        const { rows, total } = await listReports(scope, { since }, { page, limit });
        expect(total).toBe(items.length);
        pages.push(...rows.map(({ id, guardian_id }) => ({ id, guardian_id })));
      }
      expect(pages).toEqual(items);
    }
  }
});
