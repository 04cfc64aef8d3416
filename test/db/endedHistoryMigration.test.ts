import type { Client } from 'pg';
import { migrations } from '../../db/migrations';
import { withConnection } from '../../local/programs/postgres';
import { eventually } from '../support/eventually';
import { migrateUpTo } from '../support/migrations';
import { createEmptyDatabase } from '../support/stack';

const number = migrations.findIndex(({ name }) => name.startsWith('HistoryOfEndedDeliveries')) + 1;

/** A database before the migration, with one institution and its endpoint. */
async function withDatabaseBefore(work: (client: Client, url: string) => Promise<void>): Promise<void> {
  const { url, drop } = await createEmptyDatabase();
  await migrateUpTo(url, number - 1);
  await withConnection(url, async (client) => {
    await client.query(`
      INSERT INTO institutions (id, name, status, login_domain, time_zone, config, created_at, updated_at) VALUES ('ins_1', 'North School', 'approved', 'north.example', 'UTC', '{}', now(), now());
      INSERT INTO webhook_endpoints (id, institution_id, url, events, status, secret_sealed, created_at, updated_at) VALUES ('we_1', 'ins_1', 'https://receiver.example/', '{*}', 'active', 'sealed', now(), now())`);
    await work(client, url);
  });
  await drop();
}

const insert = (client: Client, table: 'open_deliveries' | 'webhook_deliveries', id: string, status: string, claimedFor: string | null = null): Promise<unknown> =>
  client.query(
    `INSERT INTO ${table} (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, created_at, claimed_by, claimed_until)
     VALUES ($1, 'ins_1', 'we_1', 'evt_' || $1, 'exam.graded', now(), $2, now(), CASE WHEN $3::interval IS NOT NULL THEN 'worker' END, clock_timestamp() + $3::interval)`,
    [id, status, claimedFor],
  );

async function places(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ place: string }>("SELECT status || ' in ' || tableoid::regclass::text AS place FROM webhook_deliveries ORDER BY id");
  return rows.map(({ place }) => place);
}

it('what releases before 0.12.0 left in the other table moves, also what a dead process had claimed', async () => {
  await withDatabaseBefore(async (client, url) => {
    for (const status of ['held', 'pending', 'retrying']) await insert(client, 'webhook_deliveries', `a_${status}`, status);
    await insert(client, 'webhook_deliveries', 'b_lapsed', 'pending', '-1 s');
    await insert(client, 'open_deliveries', 'c_ended', 'delivered');
    await insert(client, 'webhook_deliveries', 'd_there', 'dead');
    await migrateUpTo(url, number);
    expect(await places(client)).toEqual(['held in open_deliveries', 'pending in open_deliveries', 'retrying in open_deliveries', 'pending in open_deliveries', 'delivered in webhook_deliveries', 'dead in webhook_deliveries']);
  });
});

it('one that is being attempted is waited for, and from then on the history takes ended ones alone', async () => {
  await withDatabaseBefore(async (client, url) => {
    await insert(client, 'webhook_deliveries', 'a_claimed', 'pending', '1 minute');
    const migrated = migrateUpTo(url, number);
    await eventually('a migration that waits', async () => (await client.query("SELECT 1 FROM pg_stat_activity WHERE query LIKE '%RETURNING 1' AND pid <> pg_backend_pid()")).rowCount !== 0);
    await client.query("UPDATE webhook_deliveries SET status = 'delivered', claimed_by = NULL, claimed_until = NULL");
    await migrated;
    expect(await places(client)).toEqual(['delivered in webhook_deliveries']);
    await expect(insert(client, 'webhook_deliveries', 'b_new', 'pending')).rejects.toThrow('webhook_deliveries_ended_check');
    await insert(client, 'open_deliveries', 'b_new', 'pending');
  });
});
