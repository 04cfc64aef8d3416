import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { memoryStore, type WebhookStore } from '../../clients/typescript/src';
import { newId } from '../../domain/ids';
import { codeBlock, writePrograms, type ProgramFolder } from '../support/documents';
import { eventually } from '../support/eventually';
import { stack } from '../support/stack';

const readme = 'clients/typescript/README.md';
const minuteMs = 60_000;

/** The functions of the README's blocks. */
interface DocumentedStores {
  postgresStore: (pool: Pool, receiver?: string) => WebhookStore;
  redisStore: (redis: Redis, receiver?: string) => WebhookStore;
}

let programs: ProgramFolder;
let pool: Pool;
let redis: Redis;
let documented: DocumentedStores;

beforeAll(async () => {
  programs = writePrograms(readme, ['postgresStore.ts', 'redisStore.ts']);
  const load = createRequire(join(programs.folder, 'index.js'));
  documented = { ...load('./postgresStore.js'), ...load('./redisStore.js') };
  const { ownerDatabaseUrl, redisUrl, redisKeyPrefix } = await stack();
  pool = new Pool({ connectionString: ownerDatabaseUrl, options: '-c search_path=receiver' });
  await pool.query(`CREATE SCHEMA receiver; ${codeBlock(readme, 'received-events.sql')}`);
  redis = new Redis(redisUrl, { keyPrefix: redisKeyPrefix });
});

afterAll(async () => {
  await pool.query('DROP SCHEMA receiver CASCADE');
  await pool.end();
  redis.disconnect();
  await (await stack()).stop();
  programs.remove();
});

const stores: Record<string, () => WebhookStore> = {
  'in memory': () => memoryStore(),
  'in Postgres, of the README': () => documented.postgresStore(pool),
  'in Redis, of the README': () => documented.redisStore(redis),
};

describe.each(Object.entries(stores))('a store %s', (_name, create) => {
  it('lets one of many callers claim an event', async () => {
    const store = create();
    const id = newId('evt');
    const claims = await Promise.all(Array.from({ length: 20 }, async (_, nth) => store.claim(id, `token-${nth}`, minuteMs)));
    expect(claims.sort()).toEqual(['claimed', ...Array<string>(19).fill('processing')]);
  });

  it('remembers what was processed', async () => {
    const store = create();
    const id = newId('evt');
    await store.claim(id, 'a', minuteMs);
    await store.complete(id);
    await store.release(id, 'a');
    expect(await store.claim(id, 'b', minuteMs)).toBe('processed');
  });

  it('lets an event be claimed again that was released, by its own claim alone', async () => {
    const store = create();
    const id = newId('evt');
    await store.claim(id, 'a', minuteMs);
    await store.release(id, 'b');
    expect(await store.claim(id, 'b', minuteMs)).toBe('processing');
    await store.release(id, 'a');
    expect(await store.claim(id, 'b', minuteMs)).toBe('claimed');
  });

  it('lets a claim be taken over after its lease, which the first can then not release', async () => {
    const store = create();
    const id = newId('evt');
    await store.claim(id, 'killed', 50);
    await eventually('the end of the lease', async () => (await store.claim(id, 'next', minuteMs)) === 'claimed');
    await store.release(id, 'killed');
    expect(await store.claim(id, 'third', minuteMs)).toBe('processing');
  });
});

describe.each([
  ['Postgres', (receiver?: string) => documented.postgresStore(pool, receiver)],
  ['Redis', (receiver?: string) => documented.redisStore(redis, receiver)],
])('receivers that share a %s', (_name, storeOf) => {
  it('each get every event, by the names that they have', async () => {
    const id = newId('evt');
    const stores = [storeOf('gradebook'), storeOf('library'), storeOf()];
    for (const store of stores) {
      expect(await store.claim(id, 'a', minuteMs)).toBe('claimed');
      await store.complete(id);
    }
    for (const store of stores) expect(await store.claim(id, 'b', minuteMs)).toBe('processed');
  });

  it('release and take over their own claims alone', async () => {
    const id = newId('evt');
    await storeOf('gradebook').claim(id, 'a', minuteMs);
    await storeOf('library').release(id, 'a');
    expect(await storeOf('gradebook').claim(id, 'b', minuteMs)).toBe('processing');
    await storeOf('gradebook').release(id, 'a');
    expect(await storeOf('gradebook').claim(id, 'b', minuteMs)).toBe('claimed');
  });
});

it('a receiver without a name goes on with what earlier releases of its stores have recorded', async () => {
  const id = newId('evt');
  await pool.query("INSERT INTO received_events (id, token, claimed_until, processed_at) VALUES ($1, 'a', now(), now())", [id]);
  await redis.set(`webhook:${id}`, 'processed');
  expect(await documented.postgresStore(pool).claim(id, 'b', minuteMs)).toBe('processed');
  expect(await documented.redisStore(redis).claim(id, 'b', minuteMs)).toBe('processed');
});

it('the store in memory keeps the newest events up to its bound, and never forgets one that is being processed', async () => {
  const store = memoryStore({ maxEvents: 2 });
  await store.claim('open', 'a', minuteMs);
  for (const id of ['first', 'second', 'third']) {
    await store.claim(id, 'a', minuteMs);
    await store.complete(id);
  }
  expect(await Promise.all(['open', 'third', 'first'].map(async (id) => store.claim(id, 'b', minuteMs)))).toEqual(['processing', 'processed', 'claimed']);
});
