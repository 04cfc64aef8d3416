import type { PoolClient } from 'pg';
import { seedScores } from '../../../bench/exams/scores';
import { institutionScope } from '../../../db/database';
import { readExamScores } from '../../../db/repositories/exams/scores';
import { listReports } from '../../../db/repositories/reports/weekly';
import { bindSql } from '../../../db/statement';
import { withConnection } from '../../../local/programs/postgres';
import { startTestApi, type TestApi, type TestInstitution } from '../../support/api';
import { seedStudents } from '../../support/seed/students';
import { seedGuardians } from '../../support/seed/guardians';
import { withExplain } from '../../support/queryPlans';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  // These tables have no statistics, as in the first minute after an import; rows that other tests seeded here belong to no institution of this test.
  await withConnection(api.stack.ownerDatabaseUrl, async (client) => {
    for (const table of ['institution_emails', 'users', 'group_members', 'exam_assignments', 'submissions', 'weekly_reports', 'guardian_links']) {
      await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    }
  });
});

afterAll(() => api.stop());

const analysed = async (): Promise<string[]> => {
  const rows = await api.api.domain.database.sql<{ relname: string }>(
    "SELECT relname FROM pg_stat_user_tables WHERE relname IN ('institution_emails', 'group_members', 'weekly_reports', 'guardian_links') AND (last_analyze IS NOT NULL OR last_autoanalyze IS NOT NULL)",
  );
  return rows.map(({ relname }) => relname);
};

/** How often a row of a table has been fetched so far, as this connection's own counts say. */
async function fetched(client: PoolClient, table: string): Promise<number> {
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows: [row] } = await client.query<{ rows: number }>('SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_user_tables WHERE relname = $1', [table]);
  return row?.rows ?? Number.NaN;
}

it('an export reads each login email of the institution once, on a database that knows nothing of them', async () => {
  const students = 12_000;
  const school = await api.institution();
  const { database } = api.api.domain;
  const examId = await seedScores(database.sql, school, await seedStudents(api, school, students), 6);
  const client = await database.pool.connect();
  try {
    const before = await fetched(client, 'institution_emails');
    let read = 0;
    for await (const count of readExamScores({ ...institutionScope(database, school.id), sql: bindSql(client) }, examId, 1_000, ({ length }) => length)) read += count;
    const emails = (await fetched(client, 'institution_emails')) - before;
    expect([read, await analysed()]).toEqual([students, []]);
    // What is left was sorted for each of the 13 chunks: 78,000 and more.
    expect(emails).toBeLessThan(2 * students);
  } finally {
    client.release();
  }
});

/** A school with so many reports of each student; all links are verified before them, or again after them. */
async function school(students: number, weeks: number, verified: 'before' | 'after' | 'within'): Promise<TestInstitution> {
  const institution = await api.institution();
  const { sql } = api.api.domain.database;
  const ids = await seedStudents(api, institution, students);
  await seedGuardians(api, institution, ids);
  await sql(
    `INSERT INTO weekly_reports (id, institution_id, student_id, week, minutes, days_met, points, points_balance, concepts_mastered, streak_days, badges, created_at)
     SELECT 'rep_' || s || '_' || lpad(w::text, 3, '0'), $1, s, date '2024-01-01' + 7 * w, 1, 0, 0, 0, 0, 0, '{}', timestamptz '2024-01-08 12:10Z' + w * interval '7 days' + n * interval '1 ms'
       FROM unnest($2::text[]) WITH ORDINALITY t (s, n), generate_series(1, $3::int) w`,
    [institution.id, ids, weeks],
  );
  const at = { before: '2023-12-01Z', after: '2026-01-01Z', within: '2024-01-08 12:00Z' }[verified];
  const week = verified === 'within' ? weeks : 0;
  await sql(
    `UPDATE guardian_links l SET verified_at = $3::timestamptz + $4::int * interval '7 days' + n * interval '1 ms' FROM unnest($2::text[]) WITH ORDINALITY t (s, n)
      WHERE l.institution_id = $1 AND l.student_id = s`,
    [institution.id, ids, at, week],
  );
  if (verified === 'within') await sql("DELETE FROM weekly_reports WHERE institution_id = $1 AND week = date '2024-01-01' + 7 * $2::int AND student_id <> ALL ($3::text[])", [institution.id, weeks, ids.slice(0, 5)]);
  return institution;
}

it.each(['before', 'after', 'within'] as const)('the first page of reports costs the same for few and many, with links verified %s them, on a database that knows nothing of them', async (verified) => {
  const read = async ({ id }: TestInstitution): Promise<number> => {
    const { scope, done } = withExplain(institutionScope(api.api.domain.database, id));
    const { rows } = await listReports(scope, {}, { page: 1, limit: 20 });
    expect(rows).toHaveLength(20);
    return done[1]?.blocks ?? Number.NaN;
  };
  const few = await read(await school(20, 25, verified));
  const many = await read(await school(400, 25, verified));
  expect(await analysed()).toEqual([]);
  expect(many).toBeLessThan(2 * few);
});

it.each(['before', 'after'] as const)('the total of reports since a moment looks up each of them once, with links verified %s them, on a database that knows nothing of them', async (verified) => {
  const { id } = await school(400, 25, verified);
  const { scope, done } = withExplain(institutionScope(api.api.domain.database, id));
  const { total } = await listReports(scope, { since: new Date('2023-11-30T00:00:00Z') }, { page: 1, limit: 20 });
  expect([total, await analysed()]).toEqual([10_000, []]);
  expect(done[0]?.blocks).toBeLessThan(8 * 10_000);
});
