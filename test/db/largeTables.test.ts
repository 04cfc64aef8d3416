import { migrations } from '../../db/migrations';
import { withConnection } from '../../local/programs/postgres';
import { dumpSchemaAt, migrateUpTo } from '../support/migrations';
import { createEmptyDatabase } from '../support/stack';

const numberOf = (name: string): number => migrations.findIndex((migration) => migration.name.startsWith(name)) + 1;

describe('the migrations of 0.10.0, while 0.9.0 runs', () => {
  it('let it write files before its role has privileges on the new tables, and count them', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrateUpTo(url, numberOf('Quotas'));
    await withConnection(url, async (client) => {
      const { rows } = await client.query<{ statement: string }>(
        "SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS statement FROM pg_constraint WHERE contype = 'f' AND conrelid IN ('files'::regclass, 'stored_bytes'::regclass)",
      );
      for (const { statement } of rows) await client.query(statement);
      const role = `writer_${new URL(url).pathname.slice(1)}`;
      await client.query(`CREATE ROLE "${role}"; GRANT SELECT, INSERT, UPDATE, DELETE ON files TO "${role}"`);
      await client.query(`SET ROLE "${role}"`);
      const insert = "INSERT INTO files (id, institution_id, kind, exam_id, filename, content_type, size, sha256, status, created_at, updated_at) VALUES ($1, 'ins_1', 'exam', 'exm_1', 'a.pdf', 'application/pdf', $2, repeat('a', 64), 'stored', now(), now())";
      await client.query(insert, ['file_1', 40]);
      await client.query(insert, ['file_2', 2]);
      await client.query("UPDATE files SET status = 'removed' WHERE id = 'file_1'");
      await expect(client.query('SELECT 1 FROM stored_bytes')).rejects.toThrow('permission denied');
      await client.query('RESET ROLE');
      expect((await client.query('SELECT sum(bytes)::int AS bytes FROM stored_bytes')).rows).toEqual([{ bytes: 2 }]);
      await client.query(`DROP OWNED BY "${role}"; DROP ROLE "${role}"`);
    });
    await drop();
  });

  it('build each index on a table with rows while others write', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrateUpTo(url, numberOf('DeliveryEnds'));
    await withConnection(url, async (client) => {
      const indexesOn = async (): Promise<string[]> =>
        (await client.query<{ name: string }>("SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class c ON c.oid = indrelid WHERE c.relname = ANY ($1) AND c.relnamespace = 'public'::regnamespace", [tables])).rows.map(({ name }) => name);
      const { rows } = await client.query<{ name: string }>("SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace");
      const tables = rows.map(({ name }) => name);
      const before = await indexesOn();
      await migrateUpTo(url, numberOf('LargeTables') - 1);
      expect((await indexesOn()).filter((name) => !before.includes(name))).toEqual([]);
    });
    await drop();
  });

  it('end with the same schema again if the last one broke off before its end', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrateUpTo(url, numberOf('LargeTables'));
    const schema = await dumpSchemaAt(url);
    await withConnection(url, async (client) => {
      await client.query("DELETE FROM migrations WHERE name LIKE 'LargeTables%'");
      await client.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'users_suspended'::regclass");
    });
    await migrateUpTo(url, numberOf('LargeTables'));
    expect(await dumpSchemaAt(url)).toEqual(schema);
    await drop();
  });

  it('leave no constraint that was not looked at, and know since when people are suspended', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrateUpTo(url, numberOf('DeliveryEnds'));
    await withConnection(url, async (client) => {
      await client.query('SET session_replication_role = replica');
      const insert = "INSERT INTO users (id, institution_id, kind, full_name, status, created_at, updated_at) VALUES ($1, 'ins_1', 'student', 'A', $2, '2026-01-01', $3)";
      await client.query(insert, ['stu_1', 'suspended', '2026-05-01T10:00:00Z']);
      await client.query(insert, ['stu_2', 'active', '2026-05-02T10:00:00Z']);
      const unseen = "SELECT conname FROM pg_constraint WHERE NOT convalidated AND connamespace = 'public'::regnamespace";
      const before = (await client.query(unseen)).rows;
      await migrateUpTo(url, numberOf('LargeTables'));
      expect((await client.query('SELECT id, suspended_at FROM users ORDER BY id')).rows).toEqual([{ id: 'stu_1', suspended_at: new Date('2026-05-01T10:00:00Z') }, { id: 'stu_2', suspended_at: null }]);
      expect((await client.query(unseen)).rows).toEqual(before);
    });
    await drop();
  });
});
