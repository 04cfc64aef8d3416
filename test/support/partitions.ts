import { Client } from 'pg';
import { newId, startOfIds, type IdPrefix } from '../../domain/ids';
import { keepPartitions } from '../../domain/retention/keepPartitions';
import { startTestApi, type TestApi, type TestInstitution } from './api';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The start of this hour, or of one so many days before, in ms. */
export const hourBefore = (days = 0): number => Math.floor(Date.now() / hourMs) * hourMs - days * dayMs;

/** An id of an event, or of another kind of row, as it is made at a time. */
export const idAt = (at: Date, prefix: IdPrefix = 'evt'): string => `${startOfIds(prefix, at)}${newId(prefix).slice(14)}`;

export const insertEvent = 'INSERT INTO events (id, institution_id, type, created_at, body) VALUES ($1, $2, $3, $4, $5)';

/** An API whose tables are partitioned by the hour, and its database's owner. */
export interface PartitionsFixture {
  readonly api: TestApi;
  readonly institution: TestInstitution;
  readonly owner: Client;
  /** A statement of the service. */
  sql<T extends object>(text: string, values?: unknown[]): Promise<T[]>;
  keep(): Promise<number>;
  /** The names of the partitions of events but the default one, oldest first. */
  partitions(): Promise<string[]>;
  /** Makes the partition of the hour that a time begins, and an event in it, whose id it returns. */
  seedPartition(name: string, at: Date): Promise<string>;
}

/** Starts an API for the tests of the calling file; before each there is no partition of events but the default one. */
export function partitionsFixture(): PartitionsFixture {
  let api: TestApi;
  let institution: TestInstitution;
  let owner: Client;

  const sql = <T extends object>(text: string, values: unknown[] = []): Promise<T[]> => api.api.domain.database.sql<T>(text, values);
  const partitions = async (): Promise<string[]> => (await owner.query<{ part: string }>("SELECT part FROM partitions_of('events') ORDER BY until_id")).rows.map(({ part }) => part);

  beforeAll(async () => {
    api = await startTestApi();
    institution = await api.institution();
    owner = new Client({ connectionString: api.stack.ownerDatabaseUrl });
    await owner.connect();
  });
  beforeEach(async () => {
    for (const part of await partitions()) await owner.query(`DROP TABLE partitions.${part}`);
    await owner.query("UPDATE partitioned_tables SET period = 'hour'");
    for (const table of ['events', 'event_queue', 'pruned_events']) await owner.query(`DELETE FROM ${table}`);
  });
  afterAll(async () => {
    await owner.end();
    await api.stop();
  });

  return {
    get api() {
      return api;
    },
    get institution() {
      return institution;
    },
    get owner() {
      return owner;
    },
    sql,
    keep: () => keepPartitions(api.api.domain),
    partitions,
    async seedPartition(name, at) {
      await owner.query(
        `CREATE TABLE partitions.${name} PARTITION OF events FOR VALUES FROM ('${startOfIds('evt', at)}') TO ('${startOfIds('evt', new Date(at.getTime() + hourMs))}')`,
      );
      const id = idAt(new Date(at.getTime() + 60_000));
      await sql(insertEvent, [id, institution.id, 'exam.graded', at, '{}']);
      return id;
    },
  };
}
