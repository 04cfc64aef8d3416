import type { Client } from 'pg';
import { migrations } from '../../db/migrations';
import { withConnection } from '../../local/programs/postgres';
import { revertLastOf, dumpSchemaAt, migrateUpTo } from '../support/migrations';
import { createEmptyDatabase } from '../support/stack';

const number = migrations.findIndex(({ name }) => name.startsWith('SpendRefs')) + 1;

/** The error of reverting the migration after its feature was used. */
const rejection = /several wallets of an institution have spent under one ref/;

/** Writes a move past the keys to others, which are not what this is about. */
async function spend(client: Client, wallet: string, ref: string, kind: 'spend' | 'credit' = 'spend'): Promise<unknown> {
  const [from, to] = kind === 'spend' ? ['wallet', 'models'] : ['allowance', 'wallet'];
  return client.query(
    `INSERT INTO merit_moves (id, institution_id, kind, from_account, to_account, amount_cents, user_id, wallet_number, wallet_cents, allowance_number, allowance_cents,
            allowance_credited, ref, created_at)
     SELECT 'mov_' || n, 'ins_1', $3, $4, $5, 1, $1, n, 1000, CASE $3 WHEN 'credit' THEN n END, CASE $3 WHEN 'credit' THEN 1000 END, CASE $3 WHEN 'credit' THEN 1000 END, $2,
            timestamptz '2026-11-20' + n * interval '1 ms' FROM (SELECT count(*)::int + 2 AS n FROM merit_moves) next`,
    [wallet, ref, kind, from, to],
  );
}

const refsIn = async (client: Client): Promise<object[]> => (await client.query<object>('SELECT * FROM merit_moves ORDER BY id')).rows;

async function withLedger(work: (client: Client, url: string) => Promise<void>): Promise<void> {
  const { url, drop } = await createEmptyDatabase();
  await migrateUpTo(url, number - 1);
  await withConnection(url, async (client) => {
    await client.query('SET session_replication_role = replica');
    for (const [wallet, ref, kind] of [['stu_1', 'a', 'spend'], ['stu_2', 'b', 'spend'], ['stu_1', 'a', 'credit']] as const) await spend(client, wallet, ref, kind);
    await work(client, url);
  });
  await drop();
}

it('refs of spends that were unique in the institution become unique in their wallet; undone and done again, every move stays as it was', async () => {
  await withLedger(async (client, url) => {
    const moves = await refsIn(client);
    await expect(spend(client, 'stu_2', 'a')).rejects.toMatchObject({ constraint: 'merit_moves_ref' });
    await migrateUpTo(url, number);
    expect(await refsIn(client)).toEqual(moves);
    await expect(spend(client, 'stu_1', 'a')).rejects.toMatchObject({ constraint: 'merit_moves_ref_of_wallet' });
    await expect(spend(client, 'stu_2', 'a', 'credit')).rejects.toMatchObject({ constraint: 'merit_moves_ref_of_credit' });
    await revertLastOf(url, number);
    expect(await refsIn(client)).toEqual(moves);
    await expect(spend(client, 'stu_2', 'a')).rejects.toMatchObject({ constraint: 'merit_moves_ref' });
    await migrateUpTo(url, number);
    await expect(spend(client, 'stu_2', 'a')).resolves.toMatchObject({ rowCount: 1 });
  });
});

it('where wallets share a ref it is not undone, and says what works with the version before', async () => {
  await withLedger(async (client, url) => {
    await migrateUpTo(url, number);
    await spend(client, 'stu_2', 'a');
    const [moves, schema] = [await refsIn(client), await dumpSchemaAt(url)];
    await expect(revertLastOf(url, number)).rejects.toThrow(rejection);
    expect([await refsIn(client), await dumpSchemaAt(url)]).toEqual([moves, schema]);
  });
});

it('version 0.5.0 finds a ref, by institution and kind, with an index as before', async () => {
  await withLedger(async (client, url) => {
    await migrateUpTo(url, number);
    await client.query("PREPARE by_ref AS SELECT * FROM merit_moves m WHERE m.institution_id = $1 AND m.kind = $2 AND m.ref = $3; SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off");
    const { rows } = await client.query<{ 'QUERY PLAN': string }>("EXPLAIN EXECUTE by_ref ('ins_1', 'spend', 'a')");
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/merit_moves_ref_of_wallet[^]*Index Cond: .*institution_id = \$1.*kind = \$2.*ref = \$3/);
  });
});

it('is done again where a build of an index broke off', async () => {
  await withLedger(async (client, url) => {
    await client.query('CREATE UNIQUE INDEX merit_moves_ref_of_wallet ON merit_moves (institution_id, kind, ref, user_id) WHERE ref IS NOT NULL');
    await client.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass('merit_moves_ref_of_wallet')");
    await migrateUpTo(url, number);
    const { rows } = await client.query("SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = 'merit_moves'::regclass AND indisvalid AND indexrelid::regclass::text LIKE '%ref%' ORDER BY 1");
    expect(rows).toEqual([{ name: 'merit_moves_ref_of_credit' }, { name: 'merit_moves_ref_of_wallet' }]);
  });
});
