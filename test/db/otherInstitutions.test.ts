import type { Client } from 'pg';
import { openDatabase } from '../../db/database';
import { migrate } from '../../db/migrate';
import { migrations } from '../../db/migrations';
import { eraseRows, erasedTables, hasRowsToErase } from '../../db/repositories/sandbox/erasure';
import { withConnection } from '../../local/programs/postgres';
import { dumpSchemaAt, migrateUpTo } from '../support/migrations';
import { createEmptyDatabase } from '../support/stack';
import { seedTwoInstitutions } from '../support/twoInstitutions';

const numberOf = (name: string): number => migrations.findIndex((migration) => migration.name.startsWith(name)) + 1;

let url: string;
let drop: () => Promise<void>;

beforeEach(async () => {
  ({ url, drop } = await createEmptyDatabase());
});

afterEach(() => drop());

/** A change of a row of the first institution that would refer to one of the second, and the constraint that refuses it. */
const changes = [
  ['licenses', "user_id = 'stu_2b'", 'licenses_institution_id_user_id_fkey'],
  ['sessions', "user_id = 'stu_2'", 'sessions_institution_id_user_id_fkey'],
  ['seats', "license_id = 'lic_2'", 'seats_institution_id_license_id_fkey'],
  ['seats', "session_id = 'ses_2'", 'seats_institution_id_session_id_fkey'],
  ['groups', "faculty_id = 'fac_2'", 'groups_institution_id_faculty_id_fkey'],
  ['group_members', "user_id = 'stu_2'", 'group_members_institution_id_user_id_fkey'],
  ['guardian_links', "student_id = 'stu_2b'", 'guardian_links_institution_id_student_id_fkey'],
  ['guardian_links', "guardian_id = 'grd_2'", 'guardian_links_institution_id_guardian_id_fkey'],
  ['exams', "faculty_id = 'fac_2'", 'exams_institution_id_faculty_id_fkey'],
  ['exam_assignments', "group_id = 'grp_2'", 'exam_assignments_institution_id_group_id_fkey'],
  ['exam_notice_recipients', "exam_id = 'exm_2'", 'exam_notice_recipients_institution_id_exam_id_notice_fkey'],
  ['submissions', "graded_by = 'fac_2'", 'submissions_institution_id_graded_by_fkey'],
  ['submissions', "attempt_id = 'att_2b'", 'submissions_of_attempt'],
  ['code_secret_releases', "attempt_id = 'att_2b'", 'code_secret_releases_of_attempt'],
  ['files', "attempt_id = 'att_2'", 'files_institution_id_attempt_id_fkey'],
  ['attempt_events', "attempt_id = 'att_2', id = 'two'", 'attempt_events_institution_id_attempt_id_fkey'],
  ['webhook_rate_limits', "institution_id = 'ins_2'", 'webhook_rate_limits_institution_id_endpoint_id_fkey'],
] as const;

describe('the schema', () => {
  beforeEach(async () => {
    await migrate(url);
    await withConnection(url, seedTwoInstitutions);
  });

  it('refuses every reference to a row of another institution', async () => {
    await withConnection(url, async (client) => {
      for (const [table, change, constraint] of changes) {
        await expect(client.query(`UPDATE ${table} SET ${change} WHERE institution_id = 'ins_1'`)).rejects.toMatchObject({ code: '23503', constraint });
      }
    });
  });

  it('refuses a new row that refers to another institution', async () => {
    await withConnection(url, async (client) => {
      const attempt = client.query("INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at) VALUES ('att_x', 'ins_1', 'exm_1', 'stu_2', 'in_progress', now())");
      await expect(attempt).rejects.toMatchObject({ code: '23503', constraint: 'attempts_institution_id_student_id_fkey' });
    });
  });

  it.each([['student', 'att_1b'], ['exam', 'att_1c']])('refuses a submission with an attempt of another %s of the same institution', async (_what, attemptId) => {
    await withConnection(url, async (client) => {
      const moved = client.query("UPDATE submissions SET attempt_id = $1 WHERE id = 'sub_1'", [attemptId]);
      await expect(moved).rejects.toMatchObject({ code: '23503', constraint: 'submissions_of_attempt' });
    });
  });

  it('lets the institution stay where a session ends that a seat refers to', async () => {
    await withConnection(url, async (client) => {
      await client.query("DELETE FROM sessions WHERE id = 'ses_1'");
      expect((await client.query('SELECT id, institution_id, session_id FROM seats ORDER BY id')).rows).toEqual([
        { id: 'sea_1', institution_id: 'ins_1', session_id: null }, { id: 'sea_2', institution_id: 'ins_2', session_id: 'ses_2' },
      ]);
    });
  });

  it('takes with a person and an endpoint what is kept for them alone', async () => {
    await withConnection(url, async (client) => {
      await client.query("DELETE FROM attempts WHERE id = 'att_1b'; DELETE FROM users WHERE id = 'stu_1b'; DELETE FROM webhook_endpoints WHERE id = 'we_1'");
      const left = 'SELECT (SELECT count(*)::int FROM enrolment_codes) AS codes, (SELECT count(*)::int FROM sign_ins) AS sign_ins, (SELECT count(*)::int FROM webhook_rate_limits) AS limits';
      expect((await client.query(left)).rows).toEqual([{ codes: 1, sign_ins: 1, limits: 1 }]);
      await expect(client.query("DELETE FROM users WHERE id = 'stu_1'")).rejects.toMatchObject({ code: '23503' });
    });
  });

  it('lets an erasure empty the tables of one institution in their order, and leaves the other its rows', async () => {
    const database = await openDatabase(url, 2, () => undefined);
    const { sql } = database;
    const [first, second] = [{ institutionId: 'ins_1', sql }, { institutionId: 'ins_2', sql }];
    const before = await withConnection(url, rowsOfSecond);
    for (const table of erasedTables) await eraseRows(first, table, 1_000);
    expect([await hasRowsToErase(first), await hasRowsToErase(second)]).toEqual([false, true]);
    expect(await withConnection(url, rowsOfSecond)).toEqual(before);
    await database.close();
  });
});

/** Rows of the first institution, each of which refers to one of its own. */
const manyRows = `
INSERT INTO sessions (id, institution_id, user_id, kind, token_hash, created_at, expires_at) SELECT 'ses_m' || n, 'ins_1', 'stu_1', 'student', sha256(n::text::bytea), now(), now() FROM generate_series(1, 2000) n;
INSERT INTO seats (id, institution_id, user_id, license_id, session_id, app, device_id, device_name, platform, app_version, status, last_seen_at, signed_in_at, created_at)
  SELECT 'sea_m' || n, 'ins_1', 'stu_1', 'lic_1', 'ses_m' || n, 'svcapp', 'device' || n, 'Laptop', 'linux', '1', 'active', now(), now(), now() FROM generate_series(1, 2000) n;
INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, ended_at) SELECT 'att_m' || n, 'ins_1', 'exm_1', 'stu_1', 'submitted', now(), now() FROM generate_series(1, 2000) n;
INSERT INTO attempt_events (attempt_id, id, institution_id, type, at) SELECT 'att_m' || n, 'one', 'ins_1', 'focus_lost', now() FROM generate_series(201, 2000) n;
INSERT INTO files (id, institution_id, attempt_id, kind, status, filename, content_type, size, sha256, created_at, updated_at)
  SELECT 'fil_m' || n, 'ins_1', 'att_m' || n, 'attachment', 'stored', 'a.pdf', 'application/pdf', 1, repeat('0', 64), now(), now() FROM generate_series(201, 2000) n`;

const withoutStatistics = ['sessions', 'seats', 'attempts', 'partitions.attempt_events_default', 'files', 'submissions', 'code_secret_releases'].map((table) => `ALTER TABLE ${table} SET (autovacuum_enabled = false)`).join('; ');

describe('a deleted row, in a large institution without statistics', () => {
  beforeEach(async () => {
    await migrate(url);
    await withConnection(url, async (client) => {
      await client.query(withoutStatistics);
      await seedTwoInstitutions(client);
      await client.query(manyRows);
    });
  });

  it.each([
    ['sessions', "id LIKE 'ses_m%'", ['seats']],
    ['attempts', "id LIKE 'att_m%'", ['attempt_events_default', 'files', 'submissions', 'code_secret_releases']],
  ])('of %s is looked for in what refers to it without reading the institution', async (table, condition, referring) => {
    await withConnection(url, async (client) => {
      await client.query('BEGIN');
      const { rowCount } = await client.query(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${condition} ORDER BY length(id), id LIMIT 200)`);
      expect(rowCount).toBe(200);
      const { rows } = await client.query<{ name: string; read: number }>(
        'SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_xact_user_tables WHERE relname = ANY ($1)',
        [referring],
      );
      expect(rows.filter(({ read }) => read > 400)).toEqual([]);
      await client.query('ROLLBACK');
    });
  });
});

/** How many rows each table has of the second institution. */
async function rowsOfSecond(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string }>("SELECT attrelid::regclass::text AS name FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE attname = 'institution_id' AND c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace ORDER BY 1");
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const { rows: counted } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${name} WHERE institution_id = 'ins_2'`);
    counts[name] = counted[0]?.count ?? 0;
  }
  return counts;
}

describe('the migrations', () => {
  const last = numberOf('InstitutionReferences');

  it.each(['InstitutionKeys', 'InstitutionIndexes', 'InstitutionReferences'])('%s: end with the same schema again where one broke off before its end, with rows', async (name) => {
    await migrateUpTo(url, numberOf(name) - 1);
    await withConnection(url, seedTwoInstitutions);
    await migrateUpTo(url, numberOf(name));
    const schema = await dumpSchemaAt(url);
    await withConnection(url, (client) => client.query('DELETE FROM migrations WHERE name LIKE $1', [`${name}%`]));
    await migrateUpTo(url, numberOf(name));
    expect(await dumpSchemaAt(url)).toEqual(schema);
  });

  it('build a key again whose index was left invalid', async () => {
    const number = numberOf('InstitutionKeys');
    await migrateUpTo(url, number - 1);
    await withConnection(url, async (client) => {
      await client.query('CREATE UNIQUE INDEX users_of_institution ON users (institution_id, id)');
      await client.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'users_of_institution'::regclass");
      await migrateUpTo(url, number);
      const { rows } = await client.query("SELECT convalidated, indisvalid FROM pg_constraint JOIN pg_index ON indexrelid = conindid WHERE conname = 'users_of_institution' AND contype = 'u'");
      expect(rows).toEqual([{ convalidated: true, indisvalid: true }]);
    });
  });

  it('widen an index again where one broke off between its steps', async () => {
    const number = numberOf('InstitutionIndexes');
    await migrateUpTo(url, number);
    const schema = await dumpSchemaAt(url);
    await withConnection(url, async (client) => {
      await client.query("DELETE FROM migrations WHERE name LIKE 'InstitutionIndexes%'; ALTER INDEX seats_session RENAME TO seats_session_wider");
      await client.query('DROP INDEX seats_user; CREATE INDEX seats_user ON seats (user_id); CREATE INDEX seats_user_wider ON seats (user_id, institution_id)');
      await client.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'seats_user_wider'::regclass");
    });
    await migrateUpTo(url, number);
    expect(await dumpSchemaAt(url)).toEqual(schema);
  });

  it('end at a row that refers to another institution, say which, keep the reference before, and go on once it is right', async () => {
    await migrateUpTo(url, last - 1);
    await withConnection(url, async (client) => {
      await seedTwoInstitutions(client);
      await client.query("UPDATE group_members SET user_id = 'stu_2' WHERE institution_id = 'ins_1'");
      await expect(migrateUpTo(url, last)).rejects.toMatchObject({ constraint: 'group_members_institution_id_user_id_fkey', detail: expect.stringContaining('(ins_1, stu_2)') as string });
      const kept = "SELECT conname AS name, convalidated AS validated FROM pg_constraint WHERE conrelid = 'group_members'::regclass AND contype = 'f' AND conname LIKE '%user_id%' ORDER BY conname";
      expect((await client.query(kept)).rows).toEqual([{ name: 'group_members_institution_id_user_id_fkey', validated: false }, { name: 'group_members_user_id_fkey', validated: true }]);
      await client.query("UPDATE group_members SET user_id = 'stu_1' WHERE institution_id = 'ins_1'");
      await migrateUpTo(url, last);
      expect((await client.query(kept)).rows).toEqual([{ name: 'group_members_institution_id_user_id_fkey', validated: true }]);
    });
  });

  it('hold a writer of the release before to the institution as soon as the reference is there', async () => {
    await migrateUpTo(url, last - 1);
    await withConnection(url, async (client) => {
      await seedTwoInstitutions(client);
      await client.query("UPDATE group_members SET user_id = 'stu_2' WHERE institution_id = 'ins_1'");
      await expect(migrateUpTo(url, last)).rejects.toThrow('group_members');
      const another = client.query("INSERT INTO group_members (group_id, user_id, institution_id, created_at) VALUES ('grp_1', 'stu_2b', 'ins_1', now())");
      await expect(another).rejects.toMatchObject({ code: '23503', constraint: 'group_members_institution_id_user_id_fkey' });
    });
  });
});
