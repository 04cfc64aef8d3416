import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { LegacyKeys } from '../../../config/serviceKeys';
import { startOfIds, timeOfId } from '../../../domain/ids';
import { withConnection } from '../../../local/programs/postgres';
import { projectRoot } from '../../../local/projectRoot';

/** An invitation that waits, with the token of its email. */
interface Invited {
  id: string;
  email: string;
  token: string;
}

/** What the programs of 0.5.0 stored and issued, as record.mjs has written it. Never replace it by that of another release. */
export interface Data050 {
  recorded_at: string;
  keys: { encryption_keys: string; fingerprint_key: string };
  api_key: string;
  institution: { id: string; admin_id: string };
  student: { id: string; login_email: string; email: string; session: string; waiting_code: string };
  guardians: { verified: { id: string; email: string }; invited: Invited };
  developer: Invited;
  endpoint: { id: string; previous_secret: string; secret: string };
  exam: { id: string; hidden_key_b64: string };
  file: { id: string; bytes: string; query: string };
  events: { first: string[]; next_since: string };
  tables: Record<string, object[]>;
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:\+00:00|Z)$/;

const eventId = /evt_[0-9a-z]{26}/g;

/** An id begins with the time at which it was made, here `shift` ms later. */
function laterId(id: string, shift: number): string {
  const time = timeOfId(id);
  if (time === undefined) throw new Error(`${id} has no time`);
  const start = startOfIds('evt', new Date(time.getTime() + shift));
  return start + id.slice(start.length);
}

/** The data as if 0.5.0 had written it just now: its times, and those in the ids of its events, are as long ago as they were when it was recorded. */
export function readData050(): Data050 {
  const data: Data050 = JSON.parse(readFileSync(join(projectRoot(), 'test', 'support', 'release050', 'data.json'), 'utf8'));
  const shift = Date.now() - Date.parse(data.recorded_at);
  const later = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(later);
    if (typeof value !== 'string') return value;
    return timestamp.test(value) ? new Date(Date.parse(value) + shift).toISOString() : value.replaceAll(eventId, (id) => laterId(id, shift));
  };
  const rows = (name: string): object[] => (data.tables[name] ?? []).map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, later(value)])));
  const nextSince = new Date(Date.parse(data.events.next_since) + shift).toISOString();
  const first = data.events.first.map((id) => laterId(id, shift));
  return { ...data, events: { first, next_since: nextSince }, tables: Object.fromEntries(Object.keys(data.tables).map((name) => [name, rows(name)])) };
}

/** The keys of 0.5.0. */
export function keysOf050({ keys }: Data050): LegacyKeys {
  const encryptionKeys = keys.encryption_keys.split(',').map((entry) => {
    const [id = '', key = ''] = entry.split(':');
    return { id, key: Buffer.from(key, 'base64') };
  });
  return { kind: 'legacy', encryptionKeys, fingerprintKey: Buffer.from(keys.fingerprint_key, 'base64') };
}

async function insert(client: Client, table: string, rows: readonly object[]): Promise<void> {
  const { rows: columns } = await client.query<{ name: string; is_identity: boolean }>(
    "SELECT column_name AS name, is_identity = 'YES' AS is_identity FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'", [table],
  );
  const list = columns.map(({ name }) => client.escapeIdentifier(name)).join(', ');
  await client.query(`INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM jsonb_populate_recordset(NULL::${table}, $1)`, [JSON.stringify(rows)]);
  for (const { name } of columns.filter((column) => column.is_identity)) {
    await client.query(`SELECT setval(pg_get_serial_sequence($1, $2), max(${name})) FROM ${table}`, [table, name]);
  }
}

/** Writes all rows into a database that has the schema of 0.5.0, as they are: no trigger changes or adds anything. */
export async function writeData050(url: string, { tables }: Data050): Promise<void> {
  await withConnection(url, async (client) => {
    await client.query('SET session_replication_role = replica');
    for (const [table, rows] of Object.entries(tables)) if (table !== 'migrations') await insert(client, table, rows);
  });
}
