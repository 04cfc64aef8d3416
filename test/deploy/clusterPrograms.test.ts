import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedProgram } from '../../local/cluster/programs';
import { findProgram } from '../../local/findProgram';
import { freePort } from '../../local/ports';
import { onPort } from '../../local/programs/databaseUrl';
import { pgbouncerProgram } from '../../local/programs/pgbouncerProgram';
import { startPostgres, withConnection } from '../../local/programs/postgres';
import { postgresUser } from '../../local/programs/postgresUser';
import { ProcessRecord } from '../../local/processRecord';
import { createProgress } from '../../local/progress';
import { projectRoot } from '../../local/projectRoot';
import { awaitConnection, openRedis } from '../../outbound/redis';
import { startDedicatedServer } from '../support/dedicatedServer';
import { eventually } from '../support/eventually';
import { startNameServer } from '../support/nameServer';

// The commands of deploy/cluster/docker-compose.yml as processes of this machine. Folders, names of containers and ports are replaced.

const read = (name: string): string => readFileSync(join(projectRoot(), name), 'utf8');
const password = 'secret';

let folder: string;
const running: ChildProcess[] = [];
const undo: (() => unknown)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-programs-'));
});

afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  for (const stop of undo.splice(0).reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
});

function start(program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(program, args, { stdio: 'ignore', ...options });
  running.push(child);
  return child;
}

function programOf(name: string, ...others: readonly string[]): string {
  const found = findProgram([name, ...others], { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` });
  if (found === undefined) throw new Error(`There is no ${name} on PATH`);
  return found;
}

/** A script of deploy/cluster with other words for what is of a container. */
const script = (name: string, words: Readonly<Record<string, string>>): string =>
  Object.entries(words).reduce((text, [from, to]) => text.replaceAll(from, to), read(`deploy/cluster/${name}`));

describe('start-redis.sh and start-sentinel.sh', () => {
  /** Runs a script whose redis-server listens at a port of the loopback. */
  async function startMember(name: string, text: string, args: readonly string[], port: number): Promise<ChildProcess> {
    const bin = join(folder, `bin-${name}`);
    mkdirSync(bin);
    writeFileSync(join(bin, 'redis-server'), `#!/bin/sh\nexec ${programOf('redis-server', 'valkey-server')} "$@" --port ${port} --bind 127.0.0.1 --dir ${join(folder, name)}\n`);
    chmodSync(join(bin, 'redis-server'), 0o755);
    mkdirSync(join(folder, name));
    const child = start('sh', ['-c', text.replaceAll('/data', join(folder, name)), name, ...args], { env: { PATH: `${bin}:${process.env.PATH ?? ''}`, REDISCLI_AUTH: password, REDIS_PASSWORD: password } });
    return child;
  }

  const ask = async <T>(port: number, work: (redis: ReturnType<typeof openRedis>) => Promise<T>): Promise<T> => {
    const redis = openRedis({ redisUrl: `redis://:${password}@127.0.0.1:${port}`, redisKeyPrefix: '', redisSentinels: null }, () => undefined);
    try {
      await awaitConnection(redis, 1_000);
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  };

  it('make a group with passwords, in which the replica takes over from a primary that is killed', async () => {
    const [primary, replica] = [await freePort(), await freePort()];
    const words = { 6379: String(primary) };
    const first = await startMember('redis', script('start-redis.sh', words), ['localhost'], primary);
    await startMember('redis-replica', script('start-redis.sh', words), ['localhost', 'localhost'], replica);
    await eventually('the replica follows the primary', () => ask(replica, async (redis) => (await redis.info('replication')).includes('master_link_status:up')).catch(() => false));
    const sentinels = [await freePort(), await freePort(), await freePort()];
    for (const [nth, port] of sentinels.entries()) await startMember(`sentinel-${nth}`, script('start-sentinel.sh', { 'institution redis 6379': `institution localhost ${primary}` }), [], port);
    const watched = (port: number): Promise<boolean> => ask(port, async (sentinel) => {
      const state = String(await sentinel.call('SENTINEL', 'MASTER', 'institution'));
      return state.includes('num-slaves,1') && state.includes('num-other-sentinels,2');
    }).catch(() => false);
    for (const port of sentinels) await eventually('each Sentinel knows the replica and the others', () => watched(port));

    const redis = openRedis({
      redisUrl: `redis://:${password}@127.0.0.1:${primary}`, redisKeyPrefix: 'test:',
      redisSentinels: { addresses: sentinels.map((port) => ({ host: '127.0.0.1', port })), name: 'institution', password },
    }, () => undefined);
    undo.push(() => redis.disconnect());
    await awaitConnection(redis, 10_000);
    expect([await redis.incr('calls'), redis.stream.remotePort]).toEqual([1, primary]);
    first.kill('SIGKILL');
    await eventually('a call is counted again', () => redis.incr('calls').then(() => true, () => false));
    expect(redis.stream.remotePort).toBe(replica);
  });
});

describe('haproxy.cfg', () => {
  /** An API process: on the port of a listener it says which it is and what it was sent, on the platform's whether it is ready. */
  interface Api {
    isReady: boolean;
    servers: Server[];
  }

  async function startApi(address: string, port: number, platformPort: number): Promise<Api> {
    const api: Api = { isReady: true, servers: [] };
    for (const at of [port, platformPort]) {
      const server = createServer(({ url, headers }, response) => {
        if (url === '/readyz') response.statusCode = api.isReady && headers.host === '127.0.0.1' ? 200 : 503;
        response.end(JSON.stringify({ address, forwarded: headers['x-forwarded-for'] }));
      });
      await new Promise<void>((resolve) => server.listen(at, address, resolve));
      undo.push(() => { server.closeAllConnections(); server.close(); });
      api.servers.push(server);
    }
    return api;
  }

  it('shares calls among the APIs that are ready, says whose they are, and answers 503 with Retry-After without one', async () => {
    const [front, platformFront, appsFront, port, platformPort] = [await freePort(), await freePort(), await freePort(), await freePort(), await freePort()];
    const addresses = ['127.0.0.2', '127.0.0.3'];
    const names = await startNameServer('api', addresses);
    undo.push(() => names.close());
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, script('haproxy.cfg', {
      // This machine may allow fewer open files than the container.
      'maxconn 20000': 'maxconn 1000',
      '127.0.0.11:53': `127.0.0.1:${names.port}`,
      '/usr/local/etc/haproxy': join(projectRoot(), 'deploy/cluster'),
      'bind :4000': `bind 127.0.0.1:${front}`, 'bind :4001': `bind 127.0.0.1:${platformFront}`, 'bind :4003': `bind 127.0.0.1:${appsFront}`,
      'api:4000': `api:${port}`, 'api:4001': `api:${platformPort}`, 'api:4003': `api:${port}`, 'check port 4001': `check port ${platformPort}`,
    }));
    const { record } = await ProcessRecord.claim(join(folder, 'processes.json'));
    const haproxy = await installedProgram({ environment: process.env, logFile: join(folder, 'packages.log'), record, progress: createProgress(() => undefined, 'short') }, ['haproxy'], 'haproxy');
    const { status, stderr } = spawnSync(haproxy, ['-c', '-f', file], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('ALERT')]);

    const [one, other] = [await startApi('127.0.0.2', port, platformPort), await startApi('127.0.0.3', port, platformPort)];
    start(haproxy, ['-db', '-f', file]);
    const call = async (at = front): Promise<{ status: number; retryAfter: string | null; body: Record<string, unknown> }> => {
      const response = await fetch(`http://127.0.0.1:${at}/v1/institution`, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body: JSON.parse(await response.text()) };
    };
    const answering = async (count: number): Promise<string[]> => [...new Set((await Promise.all(Array.from({ length: count }, () => call()))).map(({ body }) => String(body.address)))].sort();
    await eventually('both APIs are called', () => answering(20).then((seen) => seen.join() === addresses.join(), () => false));
    for (const at of [front, platformFront, appsFront]) expect(await call(at)).toMatchObject({ status: 200, body: { forwarded: '203.0.113.9, 127.0.0.1' } });

    one.isReady = false;
    await eventually('the one that is not ready is called no more', async () => (await answering(20)).join() === '127.0.0.3');
    other.isReady = false;
    const away = await eventually('none is called', () => call().then((answer) => (answer.status === 503 ? answer : undefined)));
    expect(away).toMatchObject({ retryAfter: '1', body: { success: false, error: 'rate_limiter_unavailable' } });
    one.isReady = true;
    await eventually('the one that is ready again is called', async () => (await call()).body.address === '127.0.0.2');
  });
});

it('start-pgbouncer.sh leads both roles to Postgres, and nobody without the password', async () => {
  const { started, server } = await startDedicatedServer('postgres', async (parts) => {
    const postgres = await startPostgres({ ...parts, dataDir: join(parts.folder, 'data'), password, database: 'institution', settings: { fsync: 'off' } });
    return { ...postgres, pgbouncer: await pgbouncerProgram(parts) };
  });
  undo.push(() => server.stop());
  for (const role of ['institution_service', 'institution_service_sender']) await withConnection(started.url, async (client) => { await client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`); });
  const [port, bin, run] = [await freePort(), join(folder, 'bin'), join(folder, 'run')];
  const ini = join(folder, 'pgbouncer.ini');
  const { hostname, port: postgresPort } = new URL(started.url);
  writeFileSync(ini, read('deploy/pgbouncer/pgbouncer.ini').replace('host=postgres port=5432', `host=${hostname} port=${postgresPort}`).replace('listen_port = 6432', `listen_port = ${port}`));
  for (const made of [bin, run]) mkdirSync(made);
  writeFileSync(join(bin, 'pgbouncer'), `#!/bin/sh\nexec ${started.pgbouncer} "$@"\n`);
  chmodSync(join(bin, 'pgbouncer'), 0o755);
  // It does not run as root either.
  const user = postgresUser([folder]);
  for (const path of [folder, run, ini]) user.chown(path);
  const { program, args, user: ids = {} } = user.invoke('sh', ['-c', script('start-pgbouncer.sh', { '/etc/institution/pgbouncer.ini': ini, '/tmp/pgbouncer': run })]);
  start(program, args, { ...ids, env: { PATH: `${bin}:${process.env.PATH ?? ''}`, POSTGRES_SERVICE_PASSWORD: password } });
  const roleAt = (role: string, secret: string): Promise<unknown> => {
    const url = new URL(onPort(started.url, port));
    [url.username, url.password] = [role, secret];
    return withConnection(url.href, async (client) => (await client.query<{ who: string }>('SELECT current_user AS who')).rows[0]?.who);
  };
  await eventually('PgBouncer answers', () => roleAt('institution_service', password).then(() => true, () => false));
  expect(await roleAt('institution_service', password)).toBe('institution_service');
  expect(await roleAt('institution_service_sender', password)).toBe('institution_service_sender');
  await expect(roleAt('institution_service', 'another')).rejects.toThrow();
  await expect(roleAt('postgres', password)).rejects.toThrow();
});
