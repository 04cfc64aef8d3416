import { institutionScope, openDatabase, type Database } from '../../db/database';
import { entityManager } from '../../db/entityManager';
import { settingsSource } from '../../db/sessionSettings';
import { statement, type Sql } from '../../db/statement';
import { inTransaction } from '../../db/transaction';
import { withConnection } from '../../local/programs/postgres';
import { eventually } from '../support/eventually';
import { stack, type TestStack } from '../support/stack';
import { seedTwoInstitutions } from '../support/twoInstitutions';

let own: TestStack;
let database: Database;

beforeAll(async () => {
  own = await stack();
  await withConnection(own.ownerDatabaseUrl, seedTwoInstitutions);
  const settings = own.settings();
  database = await openDatabase(settings.databaseUrl, 4, () => undefined, settingsSource(settings));
});

afterAll(async () => {
  await database.close();
  await own.stop();
});

describe('a statement that forgets its institution', () => {
  const forgetful = statement('test_forgetful', 'SELECT id FROM users ORDER BY id');
  const ofOne = ['fac_1', 'grd_1', 'stu_1', 'stu_1b'];
  const ofOther = ofOne.map((id) => id.replace('1', '2'));
  const ofBoth = [...ofOne, ...ofOther].sort();
  const ids = async (sql: Sql, query: Parameters<Sql>[0] = forgetful): Promise<string[]> => (await sql<{ id: string }>(query)).map(({ id }) => id);

  it.each([['prepared by name', forgetful], ['without a name', forgetful.text]])('reads one institution\'s rows alone as a read of its own, %s', async (_how, query) => {
    expect(await ids(institutionScope(database, 'ins_1').sql, query)).toEqual(ofOne);
    expect(await ids(institutionScope(database, 'ins_of_nobody').sql, query)).toEqual([]);
    expect(await ids(database.sql, query)).toEqual(ofBoth);
  });

  it('reads one institution\'s rows alone with the entity manager, outside a transaction and within one', async () => {
    const read = async (manager: Pick<Database['manager'], 'query'>): Promise<unknown> => manager.query(forgetful.text);
    const found = ofOne.map((id) => ({ id }));
    expect(await institutionScope(database, 'ins_1')[entityManager](read)).toEqual(found);
    const { result } = await inTransaction(database, 'ins_2', async (tx) => [await tx.scopeOf('ins_1')[entityManager](read), await ids(tx.sql)]);
    expect(result).toEqual([found, ofOther]);
  });

  it('writes nothing with the entity manager outside a transaction', async () => {
    const writing = institutionScope(database, 'ins_1')[entityManager]((manager) => manager.query('UPDATE groups SET name = name'));
    await expect(writing).rejects.toThrow('read-only transaction');
  });

  it('reads and writes one institution\'s rows alone in a transaction', async () => {
    const { result } = await inTransaction(database, 'ins_1', async ({ sql }) => [await ids(sql), await sql('UPDATE groups SET name = name RETURNING id')]);
    expect(result).toEqual([ofOne, [{ id: 'grp_1' }]]);
  });

  it('reads the rows of all as the platform, and of a named institution, within a transaction that goes on with its own, also when all are sent at once', async () => {
    const { result } = await inTransaction(database, 'ins_1', async ({ sql, platform, scopeOf }) => {
      const reads = [platform.sql, sql, scopeOf('ins_2').sql, sql, scopeOf('ins_2').platform.sql, scopeOf('ins_1').sql];
      const oneByOne: string[][] = [];
      for (const read of reads) oneByOne.push(await ids(read));
      return [oneByOne, await Promise.all(reads.map((read) => ids(read)))];
    });
    const expected = [ofBoth, ofOne, ofOther, ofOne, ofBoth, ofOne];
    expect(result).toEqual([expected, expected]);
  });

  it('leaves nothing on the connection, alternating between institutions, errors and rollbacks', async () => {
    const settings = own.settings();
    const single = await openDatabase(settings.databaseUrl, 2, () => undefined, settingsSource(settings));
    try {
      for (const [nth, id] of ['ins_1', 'ins_2', 'ins_1'].entries()) {
        const scope = institutionScope(single, id);
        expect((await ids(scope.sql)).length).toBe(4);
        // PgBouncer keeps the name of a statement that could not be prepared.
        await expect(scope.sql(statement(`test_unknown_${nth}`, 'SELECT 1 FROM no_table'))).rejects.toThrow('no_table');
        await expect(scope.sql('SELECT 1 / 0')).rejects.toThrow('division by zero');
        await expect(inTransaction(single, id, ({ sql }) => sql('SELECT 1 / 0'))).rejects.toThrow('division by zero');
        await expect(inTransaction(single, id, ({ scopeOf }) => scopeOf('ins_2').sql('SELECT 1 / 0'))).rejects.toThrow('division by zero');
        await expect(inTransaction(single, id, ({ platform }) => platform.sql('SELECT 1 / 0'))).rejects.toThrow('division by zero');
        expect(await single.sql("SELECT current_user = session_user AS is_platform, coalesce(current_setting('institution_api.institution_id', true), '') AS id")).toEqual([{ is_platform: true, id: '' }]);
        expect(await ids(single.sql)).toEqual(ofBoth);
      }
    } finally {
      await single.close();
    }
  });
});

describe('a read of an institution', () => {
  it('fails alone if its connection breaks', async () => {
    const failing = expect(institutionScope(database, 'ins_1').sql('SELECT pg_sleep(60)')).rejects.toThrow('terminating connection');
    const ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query = 'SELECT pg_sleep(60)'";
    await eventually('the read is under way', async () => (await database.sql(ended)).length > 0);
    await failing;
    expect(await institutionScope(database, 'ins_1').sql('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is refused, with the reason, where the role cannot be taken', async () => {
    const without: Database = { ...database, tenantRole: 'role_of_nobody' };
    const reason = 'role "role_of_nobody" does not exist';
    const scope = institutionScope(without, 'ins_1');
    await expect(scope.sql('SELECT 1')).rejects.toThrow(reason);
    await expect(scope[entityManager]((manager) => manager.query('SELECT 1'))).rejects.toThrow(reason);
    await expect(inTransaction(without, 'ins_1', ({ sql }) => sql('SELECT 1'))).rejects.toThrow(reason);
    expect(await institutionScope(database, 'ins_1').sql('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('sees its own institution alone, with any number of reads at a time', async () => {
    const found = await Promise.all(Array.from({ length: 24 }, async (_, nth) => {
      const id = `ins_${(nth % 2) + 1}`;
      const [row] = await institutionScope(database, id).sql<{ id: string }>("SELECT current_setting('institution_api.institution_id') AS id");
      return [id, row?.id];
    }));
    expect(found.filter(([asked, seen]) => asked !== seen)).toEqual([]);
  });
});

it('an id of an institution cannot end the statement that names it', async () => {
  const id = "ins_1'; RESET ROLE; --\\'";
  const { result } = await inTransaction(database, id, ({ sql }) => sql("SELECT current_user::text AS role, current_setting('institution_api.institution_id') AS id"));
  expect(result).toEqual([{ role: database.tenantRole, id }]);
});
