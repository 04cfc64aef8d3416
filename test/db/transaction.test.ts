import { openDatabase, type Database } from '../../db/database';
import { inTransaction } from '../../db/transaction';
import { stack, type TestStack } from '../support/stack';

let own: TestStack;
let database: Database;

beforeAll(async () => {
  own = await stack();
  database = await openDatabase(own.databaseUrl, 8, () => undefined);
});

afterAll(async () => {
  await database.close();
  await own.stop();
});

it('does not answer for a transaction that had failed unseen', async () => {
  const swallowed = inTransaction(database, 'ins_any', async ({ sql }) => {
    await sql('SELECT 1 / 0').catch(() => []);
    return 'done';
  });
  await expect(swallowed).rejects.toThrow('had failed before it was to be committed');
});

it('answers with the error of the statement that refused the commit', async () => {
  const refused = inTransaction(database, 'ins_any', async ({ sql, events }) => {
    await sql('SELECT 1');
    events.push({ id: 'evt_any', type: 'ping', data: '{}' });
  });
  await expect(refused).rejects.toThrow('institution ins_any has no event clock');
});

it('work that fails before its first statement leaves no transaction open', async () => {
  const failing = inTransaction(database, 'ins_any', () => Promise.reject(new Error('before any statement')));
  await expect(failing).rejects.toThrow('before any statement');
  const begun = await database.sql<{ open: boolean }>("SELECT count(*) > 0 AS open FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%' AND pid <> pg_backend_pid()");
  expect(begun).toEqual([{ open: false }]);
});

it('runs the work again after a serialization failure, at most four times', async () => {
  let tries = 0;
  const failing = inTransaction(database, 'ins_any', async ({ sql }) => {
    tries += 1;
    await sql("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$");
  });
  await expect(failing).rejects.toThrow('again');
  expect(tries).toBe(4);
});

it('leaves connections to others while one institution waits at its own rows', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let over = 0;
  const held = Array.from({ length: 20 }, () =>
    inTransaction(database, 'ins_busy', async ({ sql }) => {
      await sql('SELECT 1');
      await released;
    }).finally(() => (over += 1)),
  );
  const ended = Promise.allSettled(held);
  // Where they held every connection, this would wait for them, and they for what comes after it.
  await inTransaction(database, 'ins_calm', ({ sql }) => sql('SELECT 1')).finally(release);
  expect(over).toBe(0);
  expect((await ended).map(({ status }) => status)).toEqual(Array(20).fill('fulfilled'));
});
