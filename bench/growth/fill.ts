import type { Client } from 'pg';
import { EndpointEntity } from '../../db/entities/endpoint';
import { newId } from '../../domain/ids';
import { endpointPlace } from '../../domain/webhooks/endpointPlace';
import { newWebhookSecret } from '../../domain/webhooks/signature';
import { withConnection } from '../../local/programs/postgres';
import type { BenchEnvironment } from '../environment';
import type { BenchInstitution } from '../institutions';
import { rounded } from '../statistics';
import { historyTimes, insertHistory, type HistoryTimes } from './history';
import { insertGroup, insertStudents } from './people';
import type { GrowthSize } from './size';

/** The institution with years of data. */
export interface FilledInstitution {
  institution: BenchInstitution;
  /** A group of 500 of its students. */
  groupId: string;
  history: HistoryTimes;
}

const rowsPerStatement = 200_000;
const filledTables = ['users', 'institution_emails', 'licenses', 'events', 'webhook_deliveries', 'webhook_attempts'];

/** Calls `insert` with ranges from 1 to `count`, and says how far it is. */
export async function inRanges(what: string, count: number, insert: (first: number, last: number) => Promise<void>): Promise<void> {
  for (let first = 1; first <= count; first += rowsPerStatement) {
    const last = Math.min(count, first + rowsPerStatement - 1);
    await insert(first, last);
    process.stderr.write(`  ${last} of ${count} ${what}\n`);
  }
}

/** An endpoint that gets no further deliveries. */
async function insertEndpoint({ domain }: BenchEnvironment, { id: institutionId }: BenchInstitution): Promise<string> {
  const id = newId('we');
  const now = new Date();
  await domain.database.manager.insert(EndpointEntity, {
    id,
    institutionId,
    url: 'https://growth.bench.example/hooks',
    events: ['student.updated'],
    status: 'disabled',
    disabledReason: 'gone',
    secretSealed: domain.secrets.seal(newWebhookSecret(), endpointPlace({ institutionId, id }, 'secret_sealed')),
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

interface TableSize {
  name: string;
  rows: number;
  heap: number;
  indexes: number;
}

/** The rows of a table as VACUUM has counted them, and its bytes, with those of its partitions. */
const sizes = `SELECT t.relname AS name, sum(greatest(p.reltuples, 0))::float8 AS rows, sum(pg_table_size(p.oid))::float8 AS heap, sum(pg_indexes_size(p.oid))::float8 AS indexes
  FROM pg_class t CROSS JOIN LATERAL (SELECT t.oid WHERE t.relkind = 'r' UNION ALL SELECT inhrelid FROM pg_inherits WHERE inhparent = t.oid) of (oid) JOIN pg_class p ON p.oid = of.oid
 WHERE t.relnamespace = 'public'::regnamespace AND t.relname = ANY ($1) GROUP BY t.relname ORDER BY t.relname`;

async function readSizes(client: Client): Promise<object> {
  const { rows } = await client.query<TableSize>(sizes, [filledTables]);
  return Object.fromEntries(rows.map(({ name, rows: count, heap, indexes }) => [name, { rows: Math.round(count), heap_bytes_per_row: Math.round(heap / count), index_bytes_per_row: Math.round(indexes / count) }]));
}

/**
 * Fills an institution with students, and their history, in statements of many rows each; without foreign keys and triggers,
 * which would take most of the time. Returns it with the line that says how long it took and what it takes on disk.
 */
export async function fill(environment: BenchEnvironment, { students, deliveries }: GrowthSize): Promise<{ filled: FilledInstitution; line: object }> {
  const institution = await environment.institution('growth');
  const endpointId = await insertEndpoint(environment, institution);
  const history = historyTimes(deliveries, new Date());
  const owner = { institutionId: institution.id, endpointId, students };
  const begun = performance.now();
  const minutes = (): number => rounded((performance.now() - begun) / 60_000, 1);
  // The owner's connection, which has no timeouts.
  return withConnection(environment.stores.ownerDatabaseUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    await inRanges('students', students, (first, last) => insertStudents(client, institution, students, first, last));
    const groupId = await insertGroup(client, institution, students);
    await inRanges('deliveries', deliveries, (first, last) => insertHistory(client, owner, history, first, last));
    const filledAfter = minutes();
    // Rows written as a replica set off no trigger that counts them.
    await client.query('SELECT correct_row_counts(id) FROM institutions');
    for (const table of [...filledTables, 'groups', 'group_members']) await client.query(`VACUUM (ANALYZE) ${table}`);
    await client.query('CHECKPOINT');
    const { rows: [size] } = await client.query<{ bytes: number }>('SELECT pg_database_size(current_database())::float8 AS bytes');
    const line = {
      bench: `growth: filled with ${students} students and ${deliveries} deliveries, events and attempts`,
      minutes_to_fill: filledAfter,
      minutes_with_vacuum: minutes(),
      database_gigabytes: rounded((size?.bytes ?? 0) / 1e9, 1),
      tables: await readSizes(client),
    };
    return { filled: { institution, groupId, history }, line };
  });
}
