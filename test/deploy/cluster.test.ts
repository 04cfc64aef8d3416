import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentSchema } from '../../config/settings';
import { commaList } from '../../lib/commaList';

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
  networks?: string[];
  ulimits?: { nofile: { soft: number; hard: number } };
}

interface ComposeFile {
  services: Record<string, Service>;
  networks: Record<string, { ipam: { config: { subnet: string }[] } } | undefined>;
}

const root = join(__dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
// Compose's own tag, which other readers of YAML do not know.
const parse = (file: string): ComposeFile =>
  JSON.parse(execFileSync(process.execPath, [join(root, 'test/support/readYaml.mjs')], { input: read(file).replaceAll('!override ', ''), encoding: 'utf8' }));
const [{ services: base }, { services: added, networks }] = [parse('docker-compose.yml'), parse('deploy/cluster/docker-compose.yml')];

/** What Compose makes of `${NAME:-default}`. */
const interpolate = (text: string, given: Readonly<Record<string, string>>): string => text.replace(/\$\{(\w+):-([^}]*)\}/g, (_whole, name: string, otherwise: string) => given[name] ?? otherwise);

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

  it('lets HAProxy open as many files as its connections need', () => {
    const [, most = ''] = /maxconn (\d+)/.exec(read('deploy/cluster/haproxy.cfg')) ?? [];
    expect(added.haproxy?.ulimits?.nofile.hard).toBeGreaterThan(2 * Number(most) + 100);
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

describe('the certificates', () => {
  const make = (): number | null => spawnSync('sh', [join(root, 'deploy/cluster/make-certificates.sh'), folder], { encoding: 'utf8' }).status;
  const certificate = (name: string, of = name): X509Certificate => new X509Certificate(readFileSync(join(folder, of, `${name}.crt`)));
  const [server, client] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'];

  it('are of one authority, the server\'s for both sides and the service\'s for a client alone, and stay when they are made again', () => {
    expect(make()).toBe(0);
    const authority = certificate('ca', 'authority');
    for (const name of ['temporal', 'service']) {
      expect(certificate(name).verify(authority.publicKey)).toBe(true);
      expect(certificate(name).ca).toBe(false);
      expect(certificate('ca', name).fingerprint256).toBe(authority.fingerprint256);
    }
    expect([certificate('temporal').keyUsage, certificate('service').keyUsage]).toEqual([[server, client], [client]]);
    expect(certificate('temporal').checkHost('temporal')).toBe('temporal');
    const before = certificate('temporal').fingerprint256;
    expect(make()).toBe(0);
    expect(certificate('temporal').fingerprint256).toBe(before);
  });

  it('are renewed by the same authority once they are deleted', () => {
    expect(make()).toBe(0);
    const before = certificate('service').fingerprint256;
    rmSync(join(folder, 'service/service.crt'));
    expect(make()).toBe(0);
    expect(certificate('service').fingerprint256).not.toBe(before);
    expect(certificate('service').verify(certificate('ca', 'authority').publicKey)).toBe(true);
  });

  it('leave each key where nothing else reads it, also those of 0.14.1, which were all in one volume', () => {
    expect(make()).toBe(0);
    const keys = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.key')).sort();
    const apart = ['authority/ca.key', 'service/service.key', 'temporal/temporal.key'];
    expect(keys()).toEqual(apart);
    const authority = certificate('ca', 'authority').fingerprint256;
    for (const name of ['authority/ca.key', 'temporal/temporal.key', 'temporal/temporal.crt']) renameSync(join(folder, name), join(folder, 'service', name.split('/')[1] ?? ''));
    for (const name of ['authority', 'temporal']) rmSync(join(folder, name), { recursive: true });
    expect(make()).toBe(0);
    expect(keys()).toEqual(apart);
    expect(certificate('ca', 'authority').fingerprint256).toBe(authority);
  });

  it('are mounted where they are read alone: the authority\'s key by nothing but the job', () => {
    const mountedBy = (volume: string): string[] => Object.entries(added).filter(([, { volumes = [] }]) => volumes.some((mount) => mount.startsWith(`${volume}:`))).map(([name]) => name).sort();
    expect(mountedBy('authority')).toEqual(['certificates']);
    expect(mountedBy('temporal-certificates')).toEqual(['certificates', 'temporal']);
    expect(mountedBy('certificates')).toEqual(['api', 'certificates', 'temporal-namespace', 'temporal-ui', 'worker']);
  });
});

it('API and worker trust HAProxy, which is in a network of a known subnet, and the proxies that .env names', () => {
  expect(added.haproxy?.networks).toEqual(['outside']);
  const subnet = networks.outside?.ipam.config[0]?.subnet ?? '';
  const given = { OUTSIDE_SUBNET: '10.9.0.0/24', TRUSTED_PROXIES: '192.0.2.7' };
  expect([interpolate(subnet, {}), interpolate(subnet, given)]).toEqual(['172.31.240.0/24', '10.9.0.0/24']);
  for (const name of ['api', 'worker']) {
    const trusted = added[name]?.environment?.TRUSTED_PROXIES ?? '';
    expect(commaList(interpolate(trusted, {}))).toEqual([interpolate(subnet, {})]);
    expect(commaList(interpolate(trusted, given))).toEqual(['10.9.0.0/24', '192.0.2.7']);
  }
});

it('the dynamic configuration of Temporal, which the local cluster takes as it is, names each setting once', () => {
  const source = read('deploy/temporal/dynamicconfig.yaml');
  // A reader that refuses a name that is there twice, as Temporal's does.
  const settings: object = JSON.parse(execFileSync(process.execPath, [join(root, 'test/support/readYaml.mjs')], { input: source, encoding: 'utf8' }));
  expect(Object.keys(settings).sort()).toEqual(['limit.maxIDLength', 'matching.enableFairness', 'matching.numTaskqueueWritePartitions']);
  expect(() => execFileSync(process.execPath, [join(root, 'test/support/readYaml.mjs')], { input: `${source}${source}`, stdio: ['pipe', 'ignore', 'ignore'] })).toThrow();
  expect(read('local/cluster/temporal.ts')).toContain("'deploy', 'temporal', 'dynamicconfig.yaml'");
});
