import type { Redis } from 'ioredis';
import { startRedisGroup, type RedisGroup } from '../../local/cluster/redisGroup';
import { findProgram } from '../../local/findProgram';
import type { ProcessRecord } from '../../local/processRecord';
import { awaitConnection, openRedis } from '../../outbound/redis';
import { startDedicatedServer, type DedicatedServer } from '../support/dedicatedServer';
import { eventually } from '../support/eventually';

let group: RedisGroup;
let record: ProcessRecord;
let server: DedicatedServer;
let redis: Redis;

beforeAll(async () => {
  const { started, server: running } = await startDedicatedServer('redis-group', async (parts) => {
    const redisServer = findProgram(['redis-server', 'valkey-server'], parts.environment);
    if (redisServer === undefined) throw new Error('There is no redis-server on PATH');
    const made = await startRedisGroup({ ...parts, localDir: parts.folder, programs: { redisServer } }, 'secret');
    return { group: made, record: parts.record, stop: async () => undefined };
  });
  server = running;
  ({ group, record } = started);
  const addresses = group.sentinels.map((address) => {
    const { hostname: host, port } = new URL(`tcp://${address}`);
    return { host, port: Number(port) };
  });
  redis = openRedis({ redisUrl: group.url, redisKeyPrefix: 'test:', redisSentinels: { addresses, name: group.name, password: '' } }, () => undefined);
  await awaitConnection(redis, 10_000);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it('the primary that the Sentinels name is written to, and the next one when it is killed', async () => {
  expect(await redis.incr('calls')).toBe(1);
  const portBefore = redis.stream.remotePort;
  process.kill(record.pidOf('redis-a') ?? 0, 'SIGKILL');
  await eventually('a call is counted again', () => redis.incr('calls').then(() => true, () => false));
  expect(redis.stream.remotePort).not.toBe(portBefore);
});
