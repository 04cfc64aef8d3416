import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { migrations } from '../../db/migrations';
import { withConnection } from '../../local/programs/postgres';
import { migrateUpTo } from '../support/migrations';
import { createEmptyDatabase } from '../support/stack';

const before = migrations.findIndex(({ name }) => name.startsWith('RowCounts'));

const newUser = `INSERT INTO users (id, institution_id, kind, full_name, status, created_at, updated_at) VALUES ($1, $2, 'student', 'A', 'pending', now(), now())`;

/** Adds, activates and deletes people as the release before does, until `isOver` */
async function write(client: Client, name: string, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n += 1) {
    const id = `stu_${name}_${n}`;
    await client.query('BEGIN');
    await client.query(newUser, [id, `ins_${n % 3}`]);
    await pause(1);
    if (n % 2 === 0) await client.query("UPDATE users SET status = 'active' WHERE id = $1", [id]);
    if (n % 5 === 0) await client.query('DELETE FROM users WHERE id = $1', [`stu_${name}_${n - 5}`]);
    await client.query(n % 7 === 0 ? 'ROLLBACK' : 'COMMIT');
  }
}

it('the migration counts the rows there are while the release before adds, changes and deletes some', async () => {
  const { url, drop } = await createEmptyDatabase();
  await migrateUpTo(url, before);
  await withConnection(url, async (client) => {
    await client.query("INSERT INTO institutions (id, name, status, login_domain, time_zone, config, created_at, updated_at) SELECT 'ins_' || n, 'A', 'approved', 'a' || n || '.example', 'UTC', '{}', now(), now() FROM generate_series(0, 2) n");
    await client.query("INSERT INTO users (id, institution_id, kind, full_name, status, created_at, updated_at) SELECT 'stu_' || n, 'ins_' || n % 3, 'student', 'A', 'active', now(), now() FROM generate_series(1, 3000) n");
    let isOver = false;
    const writers = ['a', 'b', 'c'].map((name) => withConnection(url, (writer) => write(writer, name, () => isOver)));
    await migrateUpTo(url, before + 2).finally(() => { isOver = true; });
    await Promise.all(writers);
    const { rows } = await client.query(`SELECT institution_id, status, sum(n)::int AS n FROM (
        SELECT institution_id, status, 1 AS n FROM users UNION ALL SELECT institution_id, status, -n FROM row_counts WHERE counted = 'people') d
      GROUP BY 1, 2 HAVING sum(n) <> 0`);
    expect(rows).toEqual([]);
    expect((await client.query("SELECT count(*) > 3000 AS wrote FROM users")).rows).toEqual([{ wrote: true }]);
  });
  await drop();
});
