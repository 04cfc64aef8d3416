import { Client } from 'pg';
import { insertDisclosures } from '../../db/repositories/disclosures/disclosures';
import { newId } from '../../domain/ids';
import { keepPartitionsOf } from '../../domain/retention/keepPartitions';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { seedDisclosurePartition, seedDisclosures } from '../support/seed/disclosures';
import { daysBefore } from '../support/time';

let api: TestApi;
let institution: TestInstitution;
let service: Client;
let owner: Client;

beforeAll(async () => {
  api = await startTestApi();
  institution = await api.institution();
  await seedDisclosures(api, institution, newId('stu'), 3);
  service = new Client({ connectionString: api.stack.databaseUrl });
  owner = new Client({ connectionString: api.stack.ownerDatabaseUrl });
  await Promise.all([service.connect(), owner.connect()]);
});

afterAll(async () => {
  await Promise.all([service.end(), owner.end()]);
  await api.stop();
});

const count = async (): Promise<number> => (await owner.query('SELECT 1 FROM disclosures')).rowCount ?? 0;
const partitions = async (): Promise<string[]> =>
  (await owner.query<{ name: string }>("SELECT 'partitions.' || part AS name FROM partitions_of('disclosures') ORDER BY until_id")).rows.map(({ name }) => name);
/** The partition of the month that is so many months ahead. */
const partitionOf = (ahead: number): string => {
  const now = new Date();
  return `partitions.disclosures_${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString().slice(0, 7).replace('-', '_')}`;
};

describe('the role that the service signs in as', () => {
  it.each([
    "UPDATE disclosures SET actor_id = 'somebody else'",
    'DELETE FROM disclosures',
    'TRUNCATE disclosures',
    'DROP TABLE disclosures',
    'ALTER TABLE disclosures DISABLE TRIGGER ALL',
    "SELECT guard_partition('disclosures', 'disclosures_default')",
    "INSERT INTO disclosures (id, at, actor_kind, actor_id, what, operation, query, request_id) VALUES ('dsc_1', '2026-01-01', 'key', 'key_1', 'list', 'listStudents', '{}', 'req_1')",
  ])('is refused: %s', async (text) => {
    const before = await count();
    await expect(service.query(text)).rejects.toMatchObject({ code: '42501' });
    expect(await count()).toBe(before);
  });

  it('has no way to a partition but the table', async () => {
    for (const text of [`SELECT 1 FROM ${partitionOf(0)}`, `DELETE FROM ${partitionOf(0)}`, `DROP TABLE ${partitionOf(0)}`]) {
      await expect(service.query(text)).rejects.toMatchObject({ code: '42501' });
    }
  });
});

describe('the owner of the record of disclosures', () => {
  it.each(["UPDATE disclosures SET actor_id = 'somebody else'", 'DELETE FROM disclosures', 'TRUNCATE disclosures', `DELETE FROM ${partitionOf(0)}`, `TRUNCATE ${partitionOf(0)}`, `TRUNCATE ${partitionOf(3)}`, 'TRUNCATE partitions.disclosures_default'])(
    'is refused as well: %s',
    async (text) => {
      const before = await count();
      await expect(owner.query(text)).rejects.toThrow('the record of disclosures is append-only');
      expect(await count()).toBe(before);
    },
  );
});

describe('partitions', () => {
  it('are there for this month and the next three', async () => {
    expect(await partitions()).toEqual([0, 1, 2, 3].map(partitionOf));
  });

  it('are dropped once their last row is a year old, and made ahead again', async () => {
    await owner.query(`DROP TABLE ${partitionOf(3)}`);
    // A month that began 13 months ago may have a row that is not a year old.
    for (const days of [365, 400, 430]) await seedDisclosurePartition(api, daysBefore(new Date(), days));
    const before = await partitions();
    const dropped = await keepPartitionsOf('disclosures', api.api.domain);
    const after = await partitions();
    expect(after).toEqual([...before.slice(dropped), partitionOf(3)]);
    expect(after.length).toBeLessThanOrEqual(4 + 13);
    expect(dropped).toBeGreaterThanOrEqual(1);
    expect(before.slice(0, dropped).every((name) => name < partitionOf(-12))).toBe(true);
  });

  it('are there for this month and the next three too where the release before keeps them', async () => {
    for (const name of await partitions()) await owner.query(`DROP TABLE ${name}`);
    await service.query('SELECT keep_disclosure_partitions()');
    expect(await partitions()).toEqual([0, 1, 2, 3].map(partitionOf));
  });

  it('are no condition: a row of a month that nobody has made is in the default one, which keeps that month', async () => {
    for (const name of await partitions()) await owner.query(`DROP TABLE ${name}`);
    await insertDisclosures(api.api.domain.database.sql, [
      { id: newId('dsc'), institution_id: institution.id, actor_kind: 'key', actor_id: institution.keyId, what: 'list', subject: null, operation: 'listStudents', query: {}, request_id: newId('req') },
    ]);
    expect(await count()).toBe(1);
    expect((await service.query("SELECT rows FROM rows_without_partition() WHERE name = 'disclosures'")).rows).toEqual([{ rows: 1 }]);
    await keepPartitionsOf('disclosures', api.api.domain);
    expect(await partitions()).toEqual([1, 2, 3].map(partitionOf));
  });
});
