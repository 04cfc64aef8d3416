import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentSchema } from '../../config/settings';

/** What these tests look at of a service. */
interface Service {
  image?: string;
  command?: string[];
  entrypoint?: string[];
  profiles?: string[];
  volumes?: string[];
  environment?: Record<string, string>;
  deploy?: { replicas: number };
  ports?: string[];
}

const root = join(__dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
// Compose's own tag, which other readers of YAML do not know.
const parse = (file: string): { services: Record<string, Service> } =>
  JSON.parse(execFileSync(process.execPath, [join(root, 'test/support/readYaml.mjs')], { input: read(file).replaceAll('!override ', ''), encoding: 'utf8' }));
const [{ services: base }, { services: added }] = [parse('docker-compose.yml'), parse('deploy/cluster/docker-compose.yml')];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-deploy-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('deploy/cluster/docker-compose.yml', () => {
  it('runs two APIs behind HAProxy, which has their ports, and three workers', () => {
    expect([added.api?.deploy?.replicas, added.worker?.deploy?.replicas]).toEqual([2, 3]);
    expect(added.api?.ports).toEqual([]);
    expect(added.haproxy?.ports).toEqual(base.api?.ports);
  });

  it('adds services in the profile cluster alone', () => {
    for (const [name, { profiles }] of Object.entries(added)) expect([name, profiles]).toEqual([name, name in base ? undefined : ['cluster']]);
  });

  it('gives API and worker settings that there are, and no other than docker-compose.yml has', () => {
    const known = Object.keys(environmentSchema.describe().keys as object);
    for (const name of ['api', 'worker']) {
      const given = Object.keys(added[name]?.environment ?? {});
      expect(known).toEqual(expect.arrayContaining(given));
      expect(Object.keys(base[name]?.environment ?? {})).toEqual(expect.arrayContaining(given));
    }
  });

  it('runs scripts that are there, mounted read-only, and Redis with the image of docker-compose.yml', () => {
    for (const [name, { entrypoint, command, volumes = [] }] of Object.entries(added)) {
      const script = [...(entrypoint ?? []), ...(command ?? [])].find((word) => word.endsWith('.sh'));
      if (script === undefined) continue;
      expect([name, existsSync(join(root, script))]).toEqual([name, true]);
      expect(volumes).toContain('./deploy/cluster:/deploy/cluster:ro');
    }
    for (const name of ['redis-replica', 'sentinel-1', 'sentinel-2', 'sentinel-3']) expect(added[name]?.image).toBe(base.redis?.image);
  });

  it('has HAProxy listen on every published port, ask the platform listener whether an API is ready, and answer 503 with Retry-After without one', () => {
    const configuration = read('deploy/cluster/haproxy.cfg');
    for (const port of ['4000', '4001', '4003']) {
      expect(configuration).toContain(`bind :${port}\n`);
      expect(configuration).toContain(`api:${port} check port 4001`);
    }
    const [head = '', body = ''] = read('deploy/cluster/503.http').split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.0 503 .*\r\nRetry-After: 1\r\n/);
    expect(head).toContain(`Content-Length: ${body.length}`);
    expect(JSON.parse(body)).toMatchObject({ success: false, error: 'rate_limiter_unavailable' });
  });
});

it('PgBouncer gets the settings of deploy/pgbouncer, is reached from other containers, and lets both roles in', () => {
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  // In place of PgBouncer, what it would read.
  writeFileSync(join(programs, 'pgbouncer'), '#!/bin/sh\ncat "$1" "$(dirname "$1")/userlist.txt"\n');
  chmodSync(join(programs, 'pgbouncer'), 0o755);
  const script = read('deploy/cluster/start-pgbouncer.sh').replaceAll('/etc/institution/pgbouncer.ini', join(root, 'deploy/pgbouncer/pgbouncer.ini')).replaceAll('/tmp/pgbouncer', join(folder, 'run'));
  const { stdout, status } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: { PATH: `${programs}:${process.env.PATH ?? ''}`, POSTGRES_SERVICE_PASSWORD: 'secret' } });
  expect(status).toBe(0);
  expect(stdout).toContain('listen_addr = 0.0.0.0\n');
  expect(stdout).toContain('pool_mode = transaction\n');
  expect(stdout).toContain('"institution_service" "secret"\n"institution_service_sender" "secret"\n');
});

it('the certificates are of one authority, for server and client, and stay when they are made again', () => {
  const run = (): number | null => spawnSync('sh', [join(root, 'deploy/cluster/make-certificates.sh'), folder], { encoding: 'utf8' }).status;
  expect(run()).toBe(0);
  const certificate = (name: string): X509Certificate => new X509Certificate(readFileSync(join(folder, `${name}.crt`)));
  const authority = certificate('ca');
  for (const name of ['temporal', 'service']) {
    expect(certificate(name).verify(authority.publicKey)).toBe(true);
    expect(certificate(name).ca).toBe(false);
    expect(certificate(name).keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  }
  expect(certificate('temporal').checkHost('temporal')).toBe('temporal');
  const before = certificate('temporal').fingerprint256;
  expect(run()).toBe(0);
  expect(certificate('temporal').fingerprint256).toBe(before);
});

it('the dynamic configuration of Temporal, which the local cluster takes as it is, names each setting once', () => {
  const source = read('deploy/temporal/dynamicconfig.yaml');
  // A reader that refuses a name that is there twice, as Temporal's does.
  const settings: object = JSON.parse(execFileSync(process.execPath, [join(root, 'test/support/readYaml.mjs')], { input: source, encoding: 'utf8' }));
  expect(Object.keys(settings).sort()).toEqual(['limit.maxIDLength', 'matching.enableFairness', 'matching.numTaskqueueWritePartitions']);
  expect(() => execFileSync(process.execPath, [join(root, 'test/support/readYaml.mjs')], { input: `${source}${source}`, stdio: ['pipe', 'ignore', 'ignore'] })).toThrow();
  expect(read('local/cluster/temporal.ts')).toContain("'deploy', 'temporal', 'dynamicconfig.yaml'");
});
