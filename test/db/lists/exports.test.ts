import { Pool } from 'pg';
import { bindSql } from '../../../db/statement';
import { walkScope } from '../../../db/walk';
import { listExportedFiles } from '../../../db/repositories/exports/exports';
import { listAttemptIds, readAttemptEvents, readSection, sectionNames } from '../../../db/repositories/exports/sections';
import { exportedTables, listInstitutionFiles, readExportedLines, type ExportedTable } from '../../../db/repositories/offboarding/exportedTables';
import { exportLogs, positionAfter } from '../../../domain/audit/exportLogs';
import { withConnection } from '../../../local/programs/postgres';
import { stack, type TestStack } from '../../support/stack';
import { explainingPool, fillTables, type WalkedStatement } from '../../support/walkedRows';

const othersRows = 3_000;
const ownRows = 5;
const tables = Object.keys(exportedTables).filter((name): name is ExportedTable => name in exportedTables);
// Ids of events name their partition, which these rows' do not.
const filled = tables.filter((name) => name !== 'events');

let own: TestStack;
let pool: Pool;

beforeAll(async () => {
  own = await stack();
  pool = new Pool({ connectionString: own.ownerDatabaseUrl, max: 1, pipeline: true, idleTimeoutMillis: 0 });
  await withConnection(own.ownerDatabaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>("SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace");
    for (const { name } of rows) await client.query(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
  });
});

afterAll(async () => {
  await pool.end();
  await own.stop();
});

/** How many rows of tables whose names begin so were read so far, by this pool's connection. */
async function readRows(prefix: string): Promise<number> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows: [row] } = await pool.query<{ rows: number }>('SELECT sum(seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_user_tables WHERE relname ^@ $1', [prefix]);
  return row?.rows ?? Number.NaN;
}

it('a page of the export of both logs reads the entries of the page, though its plan was made while the logs were empty and nothing has analyzed them since', async () => {
  const database = { pool, sql: bindSql(pool), tenantRole: null };
  const entries = async (since: Date, limit: number): Promise<number> => {
    let lines = 0;
    for await (const text of exportLogs(database, positionAfter(since), limit)) lines += text.split('\n').length - 1;
    return lines - 1;
  };
  await pool.query('ANALYZE audit_log; ANALYZE disclosures');
  for (let nth = 0; nth < 8; nth += 1) expect(await entries(new Date(0), 500)).toBe(0);
  await withConnection(own.ownerDatabaseUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    const at = "date_trunc('month', now() - interval '2 days') + n * interval '100 ms'";
    await client.query(`INSERT INTO audit_log (id, institution_id, at, actor_kind, actor_id, operation, method, path, target, changed, request_id)
      SELECT 'aud_' || n, 'ins_' || n % 20, ${at}, 'key', 'key_1', 'createStudent', 'POST', '/v1/students', '{}', '{}', 'req_' || n FROM generate_series(1, 200000) n`);
    await client.query(`INSERT INTO disclosures (id, institution_id, at, actor_kind, actor_id, what, subject_id, operation, query, request_id)
      SELECT 'dsc_' || n, 'ins_' || n % 20, ${at}, 'key', 'key_1', 'record', 'stu_' || n % 500, 'getStudent', '{}', 'req_' || n FROM generate_series(1, 200000) n`);
  });
  const { rows: [middle] } = await pool.query<{ at: Date }>("SELECT date_trunc('month', now() - interval '2 days') + interval '10000 s' AS at");
  const before = (await readRows('audit_log')) + (await readRows('disclosures'));
  expect(await entries(middle?.at ?? new Date(0), 2_000)).toBe(2_000);
  // Each page reads as many of either log, of which it leaves a half.
  expect((await readRows('audit_log')) + (await readRows('disclosures')) - before).toBeLessThan(2.5 * 2_000);
});

/** The statements that looked at more than their rows: those of the institution, or, of a student's export, of the student, and what belongs to each. */
const tooFar = (statements: readonly WalkedStatement[], bound: number): unknown[] => statements.filter(({ rows, wholeTables }) => rows > bound || wholeTables.length > 0).map(({ text, rows, wholeTables }) => ({ rows, wholeTables, text: text.slice(0, 200) }));

describe.each([
  ['without statistics', false],
  ['with those of five students, before all others came', true],
])('of a database %s', (_what, analyze) => {
  const institution = `ins_${analyze ? 'analyzed' : 'unknown'}`;

  beforeAll(async () => {
    await fillTables(own, filled, [{ institution, rows: ownRows, analyze }, { institution: `${institution}_other`, rows: othersRows }]);
  });

  it("the archive of an institution reads its rows alone, and each of them once", async () => {
    const { pool: explained, statements } = explainingPool(pool);
    let lines = 0;
    for (const table of tables) {
      for await (const found of readExportedLines({ pool: explained, tenantRole: null }, institution, table, [table === 'curriculum_concepts' ? 'curriculum_id' : table === 'institutions' ? 'id' : 'institution_id'])) lines += found.length;
    }
    expect((await listInstitutionFiles(walkScope({ pool: explained, tenantRole: null }, institution), '', 3)).length).toBe(3);
    expect(statements).toHaveLength(tables.length + 1);
    expect(lines).toBeGreaterThan(ownRows * 40);
    expect(tooFar(statements, 4 * ownRows)).toEqual([]);
  });

  it("a student's export reads the rows of the student alone, in an institution of many", async () => {
    const { pool: explained, statements } = explainingPool(pool);
    const student = `stu_${institution}_other_7`;
    let records = 0;
    for (const name of sectionNames) {
      for await (const found of readSection({ pool: explained, tenantRole: null }, `${institution}_other`, name, student)) records += found.length;
    }
    const scope = walkScope({ pool: explained, tenantRole: null }, `${institution}_other`);
    const [attempt] = await listAttemptIds(scope, student);
    expect((await readAttemptEvents(scope, attempt ?? '')).length).toBe(1);
    expect((await listExportedFiles(scope, student, true)).length).toBe(1);
    expect(records).toBe(sectionNames.length);
    expect(tooFar(statements, 6)).toEqual([]);
  });
});
