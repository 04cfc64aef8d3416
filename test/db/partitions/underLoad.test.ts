import { Client } from 'pg';
import { senderSettings, startupOptions } from '../../../db/sessionSettings';
import { newId } from '../../../domain/ids';
import { transact } from '../../../domain/transact';
import { withConnection } from '../../../local/programs/postgres';
import { eventually } from '../../support/eventually';
import { hourBefore, partitionsFixture } from '../../support/partitions';

const fixture = partitionsFixture();
const { keep, partitions, seedPartition, sql } = fixture;

/** Calls that go on until they are stopped; the first error ends them, and `stop` throws it. */
function goOn(work: () => Promise<unknown>): { done: () => number; stop: () => Promise<void> } {
  let done = 0;
  const stopping = new AbortController();
  const run = (async () => {
    while (!stopping.signal.aborted) {
      await work();
      done += 1;
    }
  })();
  run.catch(() => undefined);
  return {
    done: () => done,
    async stop() {
      stopping.abort();
      await run;
    },
  };
}

/** Writers, pollers and a claim of the sender, in sessions of their own. */
async function startLoad() {
  const appended: string[] = [];
  const seen: string[] = [];
  const sender = new Client({ connectionString: fixture.api.settings.databaseDirectUrl ?? fixture.api.settings.databaseUrl, options: startupOptions(senderSettings) });
  await sender.connect();
  let since: string | undefined;
  const calls = [
    goOn(async () => {
      const studentId = newId('stu');
      await transact(fixture.api.api.domain, fixture.institution.caller, (tx) => {
        tx.emit('student.email_mapped', { student_id: studentId });
        return Promise.resolve();
      });
      appended.push(studentId);
    }),
    goOn(async () => {
      const { status, data } = await fixture.api.call('GET', '/events', { key: fixture.institution.apiKey, query: { type: 'student.*', ...(since === undefined ? {} : { since }) } });
      expect(status).toBe(200);
      for (const event of data.items) seen.push(event.data.student_id);
      since = data.next_since ?? since;
    }),
    goOn(() => sender.query({ name: 'claim', text: 'SELECT q.event_id, (SELECT body FROM events WHERE id = q.event_id) AS body FROM event_queue q ORDER BY seq DESC LIMIT 10' })),
  ];
  return {
    /** Waits until each of the calls was done so many times more. */
    async more(count: number) {
      const targets = calls.map(({ done }) => done() + count);
      await eventually('calls', () => Promise.resolve(calls.every(({ done }, nth) => done() >= (targets[nth] ?? 0))));
    },
    async stop() {
      const [writer, ...readers] = calls;
      await writer?.stop();
      await eventually('the last event in the feed', () => Promise.resolve(seen.length >= appended.length));
      for (const reader of readers) await reader.stop();
      await sender.end();
      return { appended, seen };
    },
  };
}

it('partitions are dropped and made while others write, poll and send: no call fails, and none of their events is missing', async () => {
  for (const days of [31, 32, 33]) await seedPartition(`events_old_${days}`, new Date(hourBefore(days)));
  const load = await startLoad();
  await load.more(10);
  expect(await keep()).toBe(3);
  await load.more(10);
  const { appended, seen } = await load.stop();
  expect(seen).toEqual(appended);
  expect((await partitions()).filter((part) => part.startsWith('events_old'))).toEqual([]);
});

it('a drop that does not get its locks holds up nobody: the calls go on while another reads on and on, and after that it is dropped', async () => {
  await keep();
  await seedPartition('events_old', new Date(hourBefore(31)));
  const load = await startLoad();
  await withConnection(fixture.api.settings.databaseUrl, async (reader) => {
    await reader.query('BEGIN');
    await reader.query('SELECT 1 FROM events LIMIT 1');
    const kept = keep();
    await eventually('a drop that waits', async () => (await fixture.owner.query("SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock' AND relation = 'events'::regclass")).rowCount !== 0);
    await load.more(10);
    expect(await partitions()).toContain('events_old');
    expect(await sql('SELECT 1 FROM events LIMIT 1')).toHaveLength(1);
    await reader.query('COMMIT');
    expect(await kept).toBe(1);
  });
  const { appended, seen } = await load.stop();
  expect(seen).toEqual(appended);
});
