import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../ports';
import { pause } from '../waitUntil';
import { launchMember, type ClusterDeps } from './deps';
import type { ClusterPrograms } from './programs';

/** A primary with a replica, and three Sentinels that agree on which is which. */
export interface RedisGroup {
  /** The primary of the start; its user and password are those of both. */
  url: string;
  /** `host:port` of each Sentinel. */
  sentinels: string[];
  /** The name of the group at the Sentinels. */
  name: string;
}

/** What a group is started with. */
type RedisDeps = Omit<ClusterDeps, 'programs'> & { programs: Pick<ClusterPrograms, 'redisServer'> };

const name = 'institution';
const sentinelCount = 3;
const quorum = 2;
const downAfterMs = 2_000;
/** Sentinel takes a server that is back sooner for one that never went. */
const restartAfterMs = 3 * downAfterMs;
const readyWithinMs = 20_000;

async function ask(port: number, password: string | undefined, work: (redis: Redis) => Promise<void>): Promise<void> {
  const redis = new Redis({ port, host: '127.0.0.1', ...(password === undefined ? {} : { password }), lazyConnect: true, retryStrategy: () => null, connectTimeout: 1_000, commandTimeout: 1_000 });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** Starts the group on free ports; it keeps nothing on disk. Resolves when the Sentinels know each other and the replica. */
export async function startRedisGroup(deps: RedisDeps, password: string): Promise<RedisGroup> {
  const folder = join(deps.localDir, 'redis');
  mkdirSync(folder, { recursive: true });
  const [primary, replica] = [await freePort(), await freePort()];
  const startServer = async (server: string, port: number, of?: number): Promise<void> => {
    const file = join(folder, `${server}.conf`);
    const lines = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, `dbfilename ${server}.rdb`, 'save ""', 'appendonly no', `requirepass ${password}`, `masterauth ${password}`, ...(of === undefined ? [] : [`replicaof 127.0.0.1 ${of}`])];
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    let startedBefore = false;
    await launchMember(deps, {
      name: server,
      program: deps.programs.redisServer,
      args: [file],
      prepare: async () => {
        if (startedBefore) await pause(restartAfterMs);
        startedBefore = true;
      },
      readyWithinMs: readyWithinMs + restartAfterMs,
      ready: () => ask(port, password, async (redis) => { await redis.ping(); }),
    });
  };
  await startServer('redis-a', primary);
  await startServer('redis-b', replica, primary);
  const sentinels: number[] = [];
  for (let nth = 1; nth <= sentinelCount; nth += 1) {
    const port = await freePort();
    const file = join(folder, `sentinel-${nth}.conf`);
    const lines = [
      `port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, `sentinel monitor ${name} 127.0.0.1 ${primary} ${quorum}`, `sentinel auth-pass ${name} ${password}`,
      `sentinel down-after-milliseconds ${name} ${downAfterMs}`, `sentinel failover-timeout ${name} 10000`,
    ];
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    await launchMember(deps, {
      name: `redis-sentinel-${nth}`,
      program: deps.programs.redisServer,
      args: [file, '--sentinel'],
      readyWithinMs,
      ready: () => ask(port, undefined, async (redis) => { await redis.ping(); }),
    });
    sentinels.push(port);
  }
  await deps.progress.step('Sentinels find each other', async () => {
    for (const port of sentinels) {
      const deadline = Date.now() + readyWithinMs;
      for (;;) {
        let known = '';
        await ask(port, undefined, async (redis) => { known = String(await redis.call('SENTINEL', 'CKQUORUM', name)); }).catch(() => undefined);
        if (known.startsWith(`OK ${sentinelCount}`)) break;
        if (Date.now() > deadline) throw new Error(`The Sentinel at ${port} does not know the others: ${known}`);
        await pause(100);
      }
    }
  });
  return { url: `redis://:${password}@127.0.0.1:${primary}`, sentinels: sentinels.map((port) => `127.0.0.1:${port}`), name };
}
