import fc from 'fast-check';
import type { PoolClient } from 'pg';
import { institutionScope } from '../../../db/database';
import { checkRowCounts } from '../../../db/repositories/counts/rowCounts';
import { licenseSummaryAt } from '../../../domain/licenses/countLicenses';
import { listLicenses } from '../../../db/repositories/licenses/licenses';
import { listStudents } from '../../../db/repositories/students/students';
import { listSubmissions } from '../../../db/repositories/submissions/submissions';
import type { TestInstitution } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { seedStudents } from '../../support/seed/students';

const { api, institution, call } = apiFixture();

const scopeOf = ({ id }: TestInstitution) => institutionScope(api.api.domain.database, id);

/** Where counts and rows differ, in one snapshot. */
const differences = `SELECT counted, kind, status, sum(n)::int AS n FROM (
    SELECT 'people' AS counted, kind, status, 1 AS n FROM users WHERE institution_id = $1
    UNION ALL SELECT 'licenses', license_type, status, 1 FROM licenses WHERE institution_id = $1
    UNION ALL SELECT 'submissions', '', status, 1 FROM submissions WHERE institution_id = $1
    UNION ALL SELECT counted, kind, status, -n FROM row_counts WHERE institution_id = $1
  ) AS d GROUP BY 1, 2, 3 HAVING sum(n) <> 0`;

const rowsOf = (id: string): Promise<{ counted: string; kind: string; status: string; n: string }[]> =>
  api.api.domain.database.sql('SELECT counted, kind, status, n FROM row_counts WHERE institution_id = $1 ORDER BY counted, id', [id]);

async function withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await api.api.domain.database.pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

/** One change of people and licenses by a transaction of its own. */
interface Change {
  what: 'add' | 'suspend' | 'activate' | 'expire' | 'extend' | 'remove' | 'fold';
  size: number;
  commits: boolean;
}

const change: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom('add', 'add', 'suspend', 'activate', 'expire', 'extend', 'remove', 'fold'),
  size: fc.integer({ min: 1, max: 30 }),
  commits: fc.boolean(),
});

const some = (table: string): string => `SELECT id FROM ${table} WHERE institution_id = $1 ORDER BY md5(id) LIMIT $2 FOR UPDATE SKIP LOCKED`;

const statements: Record<Exclude<Change['what'], 'add' | 'fold'>, string[]> = {
  suspend: [`UPDATE users SET status = 'suspended' WHERE id IN (${some('users')})`],
  activate: [`UPDATE users SET status = 'active' WHERE id IN (${some('users')})`],
  expire: [`UPDATE licenses SET status = 'expired' WHERE id IN (${some('licenses')})`],
  extend: [`UPDATE licenses SET expires_at = expires_at + interval '90 minutes', status = 'active' WHERE NOT is_lifetime AND id IN (${some('licenses')})`],
  remove: [`WITH gone AS (DELETE FROM licenses WHERE id IN (${some('licenses')}) RETURNING user_id), emails AS (DELETE FROM institution_emails WHERE user_id IN (SELECT user_id FROM gone)) SELECT 1 FROM gone`],
};

const add = `WITH people AS (SELECT 'stu_' || $2 || '_' || n AS id FROM generate_series(1, $3::int) n), written AS (
    INSERT INTO users (id, institution_id, kind, full_name, status, created_at, updated_at) SELECT id, $1, 'student', id, 'pending', now(), now() FROM people
  )
  INSERT INTO licenses (id, institution_id, user_id, license_type, status, max_activations, expires_at, created_at, updated_at)
  SELECT 'lic_' || id, $1, id, 'student', 'active', 2, now() + interval '1 year', now(), now() FROM people`;

async function apply({ what, size, commits }: Change, id: string, name: string): Promise<void> {
  await withClient(async (client) => {
    await client.query('BEGIN');
    if (what === 'add') await client.query(add, [id, name, size]);
    else if (what === 'fold') await client.query("SELECT fold_row_counts($1, counted, $2) FROM unnest(ARRAY['people', 'licenses']) AS counted", [id, size]);
    else for (const statement of statements[what]) await client.query(statement, [id, size]);
    await client.query(commits ? 'COMMIT' : 'ROLLBACK');
  });
}

it('the counts equal the rows in every snapshot, while several connections add, change, remove, fold and roll back', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 3 }), async (connections) => {
      run += 1;
      const { id } = institution;
      let working = true;
      const look = async (): Promise<void> => {
        while (working) expect(await api.api.domain.database.sql(differences, [id])).toEqual([]);
      };
      const looking = look();
      await Promise.all(connections.map(async (changes, nth) => {
        for (const [step, one] of changes.entries()) await apply(one, id, `${id}_${run}_${nth}_${step}`);
      })).finally(() => { working = false; });
      await looking;
      expect(await api.api.domain.database.sql(differences, [id])).toEqual([]);
      expect(await checkRowCounts(scopeOf(institution), new Date())).toBe(0);
    }),
    { numRuns: 15 },
  );
});

it('a bulk call of 200 students adds one row of people and one of licenses; a change that leaves the status adds none', async () => {
  const before = (await rowsOf(institution.id)).length;
  const ids = await seedStudents(api, institution, 200);
  const after = await rowsOf(institution.id);
  expect(after).toHaveLength(before + 2);
  expect(after.filter(({ kind, n }) => kind === 'student' && n === '200').map(({ counted }) => counted)).toEqual(['licenses', 'people']);
  await call('PATCH', `/students/${ids[0] ?? ''}`, { full_name: 'Ada' });
  expect(await rowsOf(institution.id)).toHaveLength(before + 2);
});

it('who folds the rows waits for nobody, and nobody for who folds them', async () => {
  await seedStudents(api, institution, 3);
  await withClient(async (folding) => {
    await folding.query('BEGIN');
    await folding.query("SELECT fold_row_counts($1, 'people', NULL)", [institution.id]);
    await withClient(async (other) => {
      await other.query("SET lock_timeout = '1ms'");
      await other.query("SELECT fold_row_counts($1, 'people', NULL)", [institution.id]);
      await seedStudents(api, institution, 2, 'more');
      await other.query('RESET lock_timeout');
    });
    await folding.query('COMMIT');
  });
  expect(await api.api.domain.database.sql(differences, [institution.id])).toEqual([]);
  expect((await listStudents(scopeOf(institution), {}, { page: 1, limit: 1 })).total).toBe(5);
});

it('licenses are counted by the status that they show at a time, and those that expire by another to the millisecond', async () => {
  const scope = scopeOf(institution);
  const ids = await seedStudents(api, institution, 60);
  const { sql } = api.api.domain.database;
  const base = Date.parse('2030-01-01T10:00:00.000Z');
  // 20 minutes between two; the last are revoked, suspended and lifetime licenses.
  await sql("UPDATE licenses l SET expires_at = $2::timestamptz + (nth - 1) * interval '20 minutes' FROM unnest($3::text[]) WITH ORDINALITY AS o (person, nth) WHERE l.institution_id = $1 AND l.user_id = person", [institution.id, new Date(base), ids]);
  await sql("UPDATE licenses SET status = 'suspended' WHERE user_id = ANY ($1)", [ids.slice(0, 5)]);
  await sql("UPDATE licenses SET status = 'expired' WHERE user_id = ANY ($1)", [ids.slice(5, 9)]);
  await sql("UPDATE licenses SET status = 'revoked', revoked_at = now() WHERE user_id = ANY ($1)", [ids.slice(40, 43)]);
  await sql('UPDATE licenses SET is_lifetime = true, expires_at = NULL WHERE user_id = ANY ($1)', [ids.slice(50, 52)]);
  const page = { page: 1, limit: 200 };
  for (const minutes of [-90, 0, 1, 200, 220, 221, 240, 601, 5_000]) {
    const now = new Date(base + minutes * 60_000);
    const rows = await sql<{ status: string; expires_at: Date | null }>('SELECT status, expires_at FROM licenses WHERE institution_id = $1', [institution.id]);
    const isOver = ({ expires_at }: { expires_at: Date | null }, at: Date): boolean => expires_at !== null && expires_at <= at;
    for (const status of ['active', 'expired', 'suspended', 'revoked'] as const) {
      const expected = rows.filter((row) => (row.status === 'active' && isOver(row, now) ? 'expired' : row.status) === status).length;
      const { rows: listed, total } = await listLicenses(scope, { status }, now, page);
      expect([minutes, status, total, listed.length]).toEqual([minutes, status, expected, expected]);
    }
    const before = await listLicenses(scope, { expires_before: now }, now, page);
    const expected = rows.filter(({ expires_at }) => expires_at !== null && expires_at < now).length;
    expect([before.total, before.rows.length]).toEqual([expected, expected]);
    const { counts, expiring } = await licenseSummaryAt(scope, now);
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
    const soon = new Date(now.getTime() + 30 * 86_400_000);
    expect(expiring).toBe(rows.filter((row) => row.status === 'active' && isOver(row, soon) && !isOver(row, now)).length);
  }
});

it('a page by cursor of the licenses that are shown as expired goes on where the one before ended', async () => {
  const scope = scopeOf(institution);
  const ids = await seedStudents(api, institution, 30);
  const { sql } = api.api.domain.database;
  await sql("UPDATE licenses SET expires_at = now() - interval '1 hour', created_at = now() - (hashtext(id) % 1000) * interval '1 s' WHERE user_id = ANY ($1)", [ids]);
  await sql("UPDATE licenses SET status = 'expired' WHERE user_id = ANY ($1)", [ids.filter((_id, nth) => nth % 3 === 0)]);
  const now = new Date();
  const whole = await listLicenses(scope, { status: 'expired' }, now, { page: 1, limit: 100 });
  expect(whole.rows).toHaveLength(30);
  const pages = [await listLicenses(scope, { status: 'expired' }, now, { page: 3, limit: 7 })];
  expect(pages[0]?.rows).toEqual(whole.rows.slice(14, 21));
  const walked = [];
  for (let after: readonly string[] | null | undefined = null; after !== undefined; ) {
    const { rows, next } = await listLicenses(scope, { status: 'expired' }, now, { page: 1, limit: 7, cursor: { after } });
    walked.push(...rows);
    after = next ?? undefined;
  }
  expect(walked).toEqual(whole.rows);
});

it('a check corrects counts that are wrong, notes by how much, and leaves those that are right', async () => {
  await seedStudents(api, institution, 4);
  const scope = scopeOf(institution);
  await api.api.domain.database.sql("INSERT INTO row_counts (institution_id, counted, kind, status, n) VALUES ($1, 'people', 'student', 'active', 3)", [institution.id]);
  expect((await listStudents(scope, { status: 'active' }, { page: 1, limit: 1 })).total).toBe(7);
  expect([await checkRowCounts(scope, new Date()), await checkRowCounts(scope, new Date())]).toEqual([3, 0]);
  expect((await listStudents(scope, { status: 'active' }, { page: 1, limit: 1 })).total).toBe(4);
  expect(await api.api.domain.database.sql('SELECT corrected::int FROM row_count_checks WHERE institution_id = $1', [institution.id])).toEqual([{ corrected: 3 }]);
  expect((await listSubmissions(scope, {}, { page: 1, limit: 1 })).total).toBe(0);
});

it.each(['/students', '/students?status=active', '/faculty', '/faculty?status=active', '/submissions', '/submissions?status=graded', '/licenses', '/licenses?status=active'])('a call of %s counts no rows: its total is what is counted as they change', async (path) => {
  const wrong = 1_000;
  const inserted = "INSERT INTO row_counts (institution_id, counted, kind, status, n) VALUES ($1, 'people', 'student', 'active', $2), ($1, 'people', 'faculty', 'active', $2), ($1, 'submissions', '', 'graded', $2), ($1, 'licenses', 'student', 'active', $2)";
  const { total: before } = (await call('GET', path)).data;
  await api.api.domain.database.sql(inserted, [institution.id, wrong]);
  const { total: after } = (await call('GET', path)).data;
  expect(after - before).toBe(wrong);
});
