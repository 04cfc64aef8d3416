import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startFailoverAgent, type FailoverAgent } from '../../local/cluster/failover';
import { postgresNode, type PostgresNode } from '../../local/cluster/postgresNode';
import { withConnection } from '../../local/programs/postgres';
import { postgresPrograms } from '../../local/programs/postgresPrograms';
import { startDedicatedServer, type DedicatedServer } from '../support/dedicatedServer';
import { eventually } from '../support/eventually';

let nodes: readonly [PostgresNode, PostgresNode];
let agent: FailoverAgent;
let server: DedicatedServer;

beforeAll(async () => {
  const { started, server: running } = await startDedicatedServer('postgres-pair', async ({ folder, environment, record }) => {
    mkdirSync(join(folder, 'logs'));
    const deps = { environment, localDir: folder, record, programs: { postgres: await postgresPrograms() } };
    const [primary, standby] = [await postgresNode(deps, 'postgres-a', 'secret'), await postgresNode(deps, 'postgres-b', 'secret')];
    await primary.initialise();
    await primary.start();
    await standby.copyFrom(primary);
    await standby.start(primary);
    const pair = [primary, standby] as const;
    const watching = await startFailoverAgent(primary, standby, () => undefined);
    return { pair, watching, stop: () => watching.stop() };
  });
  server = running;
  [nodes, agent] = [started.pair, started.watching];
});

afterAll(() => server.stop());

const synchronous = () => eventually('a synchronous standby', () => agent.synchronous);
const checks = (): Promise<number[]> => Promise.all(nodes.map(async (node) => (await fetch(`http://127.0.0.1:${agent.checkPort(node)}`)).status));
const rows = (): Promise<number[]> => withConnection(agent.primary.url(), async (client) => (await client.query<{ n: number }>('SELECT n FROM kept ORDER BY n')).rows.map(({ n }) => n));
const write = (n: number): Promise<void> => withConnection(agent.primary.url(), async (client) => { await client.query('INSERT INTO kept VALUES ($1)', [n]); });

it('a primary that is killed is replaced by its synchronous standby, which has all that was committed, and becomes the standby itself', async () => {
  await synchronous();
  expect(await checks()).toEqual([200, 503]);
  await withConnection(agent.primary.url(), async (client) => { await client.query('CREATE TABLE kept (n integer)'); });
  await write(1);
  await nodes[0].kill();
  await eventually('a promotion', () => agent.promotions.length === 1);
  expect([agent.primary.name, await rows()]).toEqual(['postgres-b', [1]]);
  expect(await checks()).toEqual([503, 200]);
  await write(2);
  await synchronous();
  await nodes[1].kill();
  await eventually('a second promotion', () => agent.promotions.length === 2);
  expect([agent.primary.name, await rows()]).toEqual(['postgres-a', [1, 2]]);
});

it('without a synchronous standby the primary writes on, and is itself started again when it is killed', async () => {
  await synchronous();
  const before = agent.promotions.length;
  const [standby] = nodes.filter((node) => node !== agent.primary);
  await standby?.kill();
  await write(3);
  await synchronous();
  // Both at once: nobody may take the standby for complete.
  const { primary } = agent;
  await standby?.kill();
  await primary.kill();
  await eventually('the primary is back', async () => (await rows().catch(() => [])).length === 3);
  expect([agent.primary, agent.promotions.length]).toEqual([primary, before]);
});
