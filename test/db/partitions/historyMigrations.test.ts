import { migrations } from '../../../db/migrations';
import { newId } from '../../../domain/ids';
import { withConnection } from '../../../local/programs/postgres';
import { eventually } from '../../support/eventually';
import { migrateUpTo, revertLastOf } from '../../support/migrations';
import { dayMs, idAt } from '../../support/partitions';
import { createEmptyDatabase } from '../../support/stack';

const numberOf = (name: string): number => migrations.findIndex((migration) => migration.name.startsWith(name)) + 1;

const school = `INSERT INTO institutions (id, name, status, login_domain, time_zone, config, created_at, updated_at)
    VALUES ('ins_1', 'North School', 'approved', 'north.example', 'UTC', '{}', '2026-11-20', '2026-11-20');
  INSERT INTO users (id, institution_id, kind, full_name, status, created_at, updated_at)
    VALUES ('fac_1', 'ins_1', 'faculty', 'Sam', 'active', '2026-11-20', '2026-11-20'), ('stu_1', 'ins_1', 'student', 'Ada', 'active', '2026-11-20', '2026-11-20');
  INSERT INTO exams (id, institution_id, faculty_id, title, exam_type, status, max_score, allow_late_submission, late_penalty_percentage, proctoring, ai_policy, created_at, updated_at)
    VALUES ('exm_1', 'ins_1', 'fac_1', 'Fractions', 'exam', 'draft', 20, false, 0, '{}', '{}', '2026-11-20', '2026-11-20');
  INSERT INTO webhook_endpoints (id, institution_id, url, events, status, secret_sealed, created_at, updated_at)
    VALUES ('we_1', 'ins_1', 'https://receiver.example/', '{*}', 'active', 'sealed', '2026-11-20', '2026-11-20')`;

const attempt = `INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, ended_at)
  VALUES ($1, 'ins_1', 'exm_1', 'stu_1', 'submitted', '2026-11-20', '2026-11-20')`;

/** By table, with its migration: its key, and the statements that write a row with it, as the release before prepares them. */
const histories = [
  {
    table: 'attempt_events', migration: 'AttemptEventPartitions', key: 'attempt_id', prefix: 'att' as const,
    writes: [attempt, "UPDATE attempts SET event_count = event_count + 1 WHERE id = $1", "INSERT INTO attempt_events (attempt_id, id, institution_id, type, at) VALUES ($1, 'one', 'ins_1', 'focus_lost', now()) ON CONFLICT DO NOTHING"],
  },
  {
    table: 'audit_log', migration: 'AuditLogPartitions', key: 'id', prefix: 'aud' as const,
    writes: ["SELECT append_audit('ins_1', $1, 'key', 'key_1', 'createStudent', 'POST', '/v1/students', '{}', 'req_1', '{}')"],
  },
  {
    table: 'webhook_deliveries', migration: 'DeliveryPartitions', key: 'id', prefix: 'whd' as const,
    writes: [
      "INSERT INTO open_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, created_at) VALUES ($1, 'ins_1', 'we_1', 'evt_1', 'exam.graded', now(), 'pending', now())",
      'SELECT 1 FROM deliveries WHERE id = $1',
      'SELECT 1 FROM open_deliveries WHERE id = $1 FOR NO KEY UPDATE',
      "UPDATE open_deliveries SET status = 'dead' WHERE id = $1",
      'WITH moved AS (DELETE FROM open_deliveries WHERE id = $1 RETURNING *) INSERT INTO webhook_deliveries SELECT * FROM moved',
    ],
  },
  {
    table: 'webhook_attempts', migration: 'WebhookAttemptPartitions', key: 'delivery_id', prefix: 'whd' as const,
    writes: ["INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, error_class) VALUES ($1, 1, 'ins_1', 'we_1', 1, now(), 12, 'http')"],
  },
];

it.each(histories)('$migration runs while the release before writes $table: none of its transactions fails, no row is lost', async ({ table, migration, key, prefix, writes }) => {
  const { url, drop } = await createEmptyDatabase();
  await migrateUpTo(url, numberOf(migration) - 1);
  await withConnection(url, (client) => client.query(school));
  const written: string[] = [];
  let ended = false;
  const writing = [1, 2].map(() =>
    withConnection(url, async (client) => {
      while (!ended) {
        const id = newId(prefix);
        await client.query('BEGIN');
        for (const [nth, text] of writes.entries()) await client.query({ name: `write_${nth}`, text, values: [id] });
        await client.query('COMMIT');
        const { rowCount } = await client.query({ name: 'read', text: `SELECT 1 FROM ${table} WHERE ${key} = $1`, values: [id] });
        expect(rowCount).toBe(1);
        written.push(id);
      }
    }),
  );
  await eventually('rows', () => Promise.resolve(written.length > 100));
  await migrateUpTo(url, numberOf(migration));
  const before = written.length;
  await eventually('more rows', () => Promise.resolve(written.length > before + 100));
  ended = true;
  await Promise.all(writing);
  await withConnection(url, async (client) => {
    const { rows } = await client.query<{ id: string }>(`SELECT ${key} AS id FROM ${table}`);
    expect(rows.map(({ id }) => id).sort()).toEqual(written.sort());
    const { rows: counted } = await client.query<{ attempts: number }>('SELECT coalesce(sum(attempts), 0)::int AS attempts FROM endpoint_statistics');
    expect(counted).toEqual([{ attempts: table === 'webhook_attempts' ? written.length : 0 }]);
  });
  await drop();
});

it.each(histories)('$migration undone leaves every row in a plain table; done again, in the partition from before', async ({ table, migration, key, prefix, writes }) => {
  const { url, drop } = await createEmptyDatabase();
  await migrateUpTo(url, numberOf(migration));
  const ids = [newId(prefix), idAt(new Date(Date.now() + 40 * dayMs), prefix)];
  await withConnection(url, async (client) => {
    await client.query(school);
    for (const id of ids) for (const text of writes) await client.query(text, [id]);
    const read = async () => (await client.query<{ id: string; part: string }>(`SELECT ${key} AS id, tableoid::regclass::text AS part FROM ${table} ORDER BY 1`)).rows;
    expect((await read()).map(({ id }) => id)).toEqual(ids);
    await revertLastOf(url, numberOf(migration));
    expect(await read()).toEqual(ids.map((id) => ({ id, part: table })));
    await client.query(`SET session_replication_role = replica; DELETE FROM ${table} WHERE ${key} = '${ids[1] ?? ''}'; RESET session_replication_role`);
    await migrateUpTo(url, numberOf(migration));
    expect(await read()).toEqual([{ id: ids[0], part: `partitions.${table}_before` }]);
  });
  await drop();
});

/** The partitions of a table that begin after the first partition of deliveries. */
const partitionsFrom = `SELECT part, since_id, until_id FROM partitions_of($1) WHERE since_id >= (SELECT min(until_id COLLATE "C") FROM partitions_of('webhook_deliveries')) ORDER BY since_id`;

it('DeliveryPartitions makes weeks of the empty months of attempts that are ahead: they are those of deliveries', async () => {
  const { url, drop } = await createEmptyDatabase();
  await migrateUpTo(url, numberOf('DeliveryPartitions'));
  await withConnection(url, async (client) => {
    const boundsOf = async (table: string) => (await client.query<{ since_id: string; until_id: string }>(partitionsFrom, [table])).rows.map(({ since_id, until_id }) => [since_id, until_id]);
    expect((await boundsOf('webhook_deliveries')).length).toBeGreaterThan(1);
    expect(await boundsOf('webhook_attempts')).toEqual(await boundsOf('webhook_deliveries'));
    expect((await client.query("SELECT name FROM partitioned_tables WHERE period = 'week' ORDER BY name")).rows).toEqual([{ name: 'webhook_attempts' }, { name: 'webhook_deliveries' }]);
  });
  await drop();
});

it('DeliveryPartitions leaves a month of attempts that has rows, and all before it', async () => {
  const { url, drop } = await createEmptyDatabase();
  await migrateUpTo(url, numberOf('DeliveryPartitions') - 1);
  const id = idAt(new Date(Date.now() + 75 * dayMs), 'whd');
  const months = async (): Promise<string[]> => withConnection(url, async (client) => (await client.query<{ part: string }>("SELECT part FROM partitions_of('webhook_attempts') ORDER BY until_id")).rows.map(({ part }) => part));
  await withConnection(url, async (client) => {
    await client.query(school);
    await client.query("INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms) VALUES ($1, 1, 'ins_1', 'we_1', 1, now(), 12)", [id]);
  });
  const before = await months();
  await migrateUpTo(url, numberOf('DeliveryPartitions'));
  const place = await withConnection(url, async (client) => (await client.query<{ part: string }>("SELECT replace(tableoid::regclass::text, 'partitions.', '') AS part FROM webhook_attempts WHERE delivery_id = $1", [id])).rows[0]?.part);
  expect(before).toContain(place);
  expect((await months()).slice(0, before.indexOf(place ?? '') + 1)).toEqual(before.slice(0, before.indexOf(place ?? '') + 1));
  await drop();
});

it('DisclosurePartitions undone leaves every row, those that no month was made for too; what the release before calls keeps the months, before and after', async () => {
  const { url, drop } = await createEmptyDatabase();
  const number = numberOf('DisclosurePartitions');
  const insert = "INSERT INTO disclosures (id, at, actor_kind, actor_id, what, operation, query, request_id) VALUES ($1, $2, 'key', 'key_1', 'list', 'listStudents', '{}', 'req_1')";
  await migrateUpTo(url, number);
  await withConnection(url, async (client) => {
    const at = [new Date(Date.now() - 60 * dayMs), new Date()];
    for (const [nth, time] of at.entries()) await client.query(insert, [`dsc_${nth}`, time]);
    const read = async () => (await client.query<{ at: Date }>('SELECT at FROM disclosures ORDER BY at')).rows.map((row) => row.at);
    expect((await client.query("SELECT rows FROM rows_without_partition() WHERE name = 'disclosures'")).rows).toEqual([{ rows: 1 }]);
    expect((await client.query('SELECT keep_disclosure_partitions() AS dropped')).rows).toEqual([{ dropped: 0 }]);
    await revertLastOf(url, number);
    expect(await read()).toEqual(at);
    expect((await client.query('SELECT keep_disclosure_partitions() AS dropped')).rows).toEqual([{ dropped: 0 }]);
    await migrateUpTo(url, number);
    expect(await read()).toEqual(at);
  });
  await drop();
});
