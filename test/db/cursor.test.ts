import { readByCursor } from '../../db/cursor';
import { institutionScope } from '../../db/database';
import { readExportHorizon } from '../../db/repositories/auditLog/export';
import { hasOlderTransactions } from '../../db/repositories/erasure/people';
import { withConnection } from '../../local/programs/postgres';
import { apiFixture } from '../support/apiFixture';

const { api, institution } = apiFixture();
const manyRows = "SELECT n, pg_backend_pid() AS pid, current_setting('statement_timeout') AS statement_timeout FROM generate_series(1, $1::int) n";
const read = (rows: number) => readByCursor<{ n: number; pid: number; statement_timeout: string }>(api.api.domain.database, manyRows, [rows]);

it('returns all rows, some at a time, and no fetch has a timeout', async () => {
  const found = [];
  for await (const rows of read(450)) found.push(rows);
  expect(found.map(({ length }) => length)).toEqual([200, 200, 50]);
  expect(new Set(found.flat().map(({ statement_timeout }) => statement_timeout))).toEqual(new Set(['0']));
});

it('a connection that breaks between two fetches fails the next one, and is not kept', async () => {
  const { database } = api.api.domain;
  const rows = read(1_000);
  const { value } = await rows.next();
  const pid: number = value?.[0]?.pid ?? 0;
  const before = database.pool.totalCount;
  await withConnection(api.stack.ownerDatabaseUrl, async (client) => {
    await client.query('SELECT pg_terminate_backend($1, 5000)', [pid]);
  });
  await expect(async () => {
    while ((await rows.next()).done !== true);
  }).rejects.toThrow(/terminat|not queryable/);
  expect(database.pool.totalCount).toBe(before - 1);
});

it('one that is given up in the middle gives its connection back', async () => {
  const { pool } = api.api.domain.database;
  for await (const _rows of read(1_000)) break;
  expect(pool.idleCount).toBe(pool.totalCount);
});

it('neither an erasure nor the export of the logs waits for it: it writes nothing', async () => {
  const { database } = api.api.domain;
  const rows = read(1_000);
  await rows.next();
  const since = await database.sql<{ at: Date }>('SELECT clock_timestamp() AS at');
  const at = since[0]?.at ?? new Date(0);
  expect(await hasOlderTransactions(institutionScope(database, institution.id), at)).toBe(false);
  expect((await readExportHorizon(database.sql)).getTime()).toBeGreaterThanOrEqual(at.getTime() - 2);
  await rows.return(undefined);
});
