import { migrations } from '../../../db/migrations';
import { newId } from '../../../domain/ids';
import { withConnection } from '../../../local/programs/postgres';
import { eventually } from '../../support/eventually';
import { migrateUpTo, revertLastOf } from '../../support/migrations';
import { dayMs, idAt, insertEvent } from '../../support/partitions';
import { createEmptyDatabase } from '../../support/stack';

describe('the migration', () => {
  const number = migrations.findIndex(({ name }) => name.startsWith('Partitions')) + 1;
  const institutions = `INSERT INTO institutions (id, name, status, login_domain, time_zone, config, created_at, updated_at)
    VALUES ('ins_1', 'North School', 'approved', 'north.example', 'UTC', '{}', '2026-11-20', '2026-11-20');
    INSERT INTO event_clocks (institution_id) VALUES ('ins_1') ON CONFLICT DO NOTHING`;

  /** The statements of the release before, prepared once. */
  const statements = {
    append: { name: 'append', text: 'SELECT append_events($1, $2::json)' },
    feed: { name: 'feed', text: 'SELECT created_at, body FROM events WHERE institution_id = $1 AND created_at > $2::timestamptz ORDER BY created_at LIMIT 100' },
    byId: { name: 'by_id', text: 'SELECT 1 FROM events WHERE institution_id = $1 AND id = $2 FOR KEY SHARE' },
    fanOut: { name: 'fan_out', text: 'WITH picked AS (SELECT seq FROM event_queue ORDER BY seq LIMIT 10 FOR UPDATE SKIP LOCKED) DELETE FROM event_queue WHERE seq = ANY (ARRAY(SELECT seq FROM picked)) RETURNING event_id' },
  };

  it('runs during calls of a process of the release before: none of its statements fails, no event is lost', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrateUpTo(url, number - 1);
    await withConnection(url, (client) => client.query(institutions));
    const appended: string[] = [];
    const fannedOut: string[] = [];
    let ended = false;
    const appending = withConnection(url, async (client) => {
      while (!ended) {
        const id = newId('evt');
        await client.query(statements.append, ['ins_1', JSON.stringify([{ id, type: 'exam.graded', data: '{}' }])]);
        appended.push(id);
        expect((await client.query(statements.byId, ['ins_1', id])).rowCount).toBe(1);
      }
    });
    const reading = withConnection(url, async (client) => {
      let since: Date | string = '-infinity';
      let read = 0;
      for (let last = false; !last; ) {
        last = ended;
        for (let rows = 100; rows === 100; ) {
          const page: { rows: { created_at: Date }[] } = await client.query<{ created_at: Date }>(statements.feed, ['ins_1', since]);
          rows = page.rows.length;
          read += rows;
          since = page.rows.at(-1)?.created_at ?? since;
        }
        if (last) await appending;
      }
      return read;
    });
    const fanning = withConnection(url, async (client) => {
      for (let last = false; !last; ) {
        last = ended;
        const { rows } = await client.query<{ event_id: string }>(statements.fanOut);
        fannedOut.push(...rows.map(({ event_id }) => event_id));
      }
    });
    await eventually('events', () => Promise.resolve(appended.length > 100));
    await migrateUpTo(url, number);
    const before = appended.length;
    await eventually('more events', () => Promise.resolve(appended.length > before + 100));
    ended = true;
    await Promise.all([appending, reading, fanning]);
    await withConnection(url, async (client) => {
      const { rows } = await client.query<{ id: string }>('SELECT id FROM events ORDER BY id');
      expect(rows.map(({ id }) => id)).toEqual(appended.sort());
      const { rows: left } = await client.query<{ event_id: string }>('SELECT event_id FROM event_queue');
      expect([...fannedOut, ...left.map(({ event_id }) => event_id)].sort()).toEqual(appended);
    });
    await drop();
  });

  it('undone, leaves every event in a plain table; done again, in the partition from before', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrateUpTo(url, number);
    const ids = [newId('evt'), idAt(new Date(Date.now() + 2 * dayMs)), 'evt_zzz'];
    await withConnection(url, async (client) => {
      await client.query(institutions);
      for (const [nth, id] of ids.entries()) await client.query(insertEvent, [id, 'ins_1', 'exam.graded', new Date(nth), '{}']);
      await revertLastOf(url, number);
      expect((await client.query<{ id: string }>('SELECT id FROM events ORDER BY id')).rows.map(({ id }) => id)).toEqual(ids);
      await client.query("DELETE FROM events WHERE id = 'evt_zzz'");
      await client.query('DELETE FROM events WHERE id = $1', [ids[1]]);
      await migrateUpTo(url, number);
      expect((await client.query<{ part: string }>('SELECT tableoid::regclass::text AS part FROM events')).rows).toEqual([{ part: 'partitions.events_before' }]);
    });
    await drop();
  });
});
