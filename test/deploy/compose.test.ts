import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGuides } from '../../api/http/openapi/explorer/guides';
import { environmentSchema, readSettings } from '../../config/settings';
import { closeTimeoutMs, abortGraceMs } from '../../config/shutdown';
import { exchangeTimeoutMs } from '../../outbound/webhooks/webhookClient';

/** What these tests look at of a service. */
interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  mem_limit?: string;
  stop_grace_period?: string;
  networks?: string[];
  ports?: string[];
}

const root = join(__dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const source = read('docker-compose.yml');
const parser = join(root, 'test/support/readYaml.mjs');
const { services, networks }: { services: Record<string, Service>; networks: Record<string, { internal?: boolean } | null> } = JSON.parse(execFileSync(process.execPath, [parser], { input: source, encoding: 'utf8' }));

const known: object = environmentSchema.describe().keys;
const variables = [...source.matchAll(/\$\{(\w+)([^}]*)\}/g)].map(([, name = '', rest = '']) => ({ name, rest }));

function service(name: string): Service {
  const found = services[name];
  if (found === undefined) throw new Error(`There is no service ${name}`);
  return found;
}

/** What Compose makes of a value: `${NAME:-default}` and `${NAME:?message}`, where empty is as good as unset. */
function interpolate(value: string | number, given: Record<string, string>): string {
  return String(value).replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_whole, name: string, kind: string, rest: string) => {
    const set = given[name] ?? '';
    if (set !== '') return set;
    if (kind === '?') throw new Error(`${name} is missing: ${rest}`);
    return rest;
  });
}

const filledIn: Record<string, string> = {
  POSTGRES_PASSWORD: 'p'.repeat(48),
  POSTGRES_SERVICE_PASSWORD: 's'.repeat(48),
  TEMPORAL_POSTGRES_PASSWORD: 't'.repeat(48),
  REDIS_PASSWORD: 'r'.repeat(48),
  SMTP_URL: 'smtps://school:secret@mail.school.example',
  MASTER_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  PLATFORM_TOKEN: 'f'.repeat(64),
  PUBLIC_BASE_URL: 'https://api.school.example/v1',
  GUARDIAN_PORTAL_URL: 'https://portal.school.example/guardians',
  PORTAL_URL: 'https://portal.school.example',
  PLATFORM_ADMIN_EMAIL: 'platform@institution.example',
};

/** Variables that processes require instead of Compose: the keys of 0.9.0 may replace the one, the development profile has a default of the other. */
const checkedByProcesses: readonly string[] = ['MASTER_KEYS', 'SMTP_URL'];

const environmentOf = (name: string, given: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(service(name).environment ?? {}).map(([key, value]) => [key, interpolate(value, given)]));

describe.each(['api', 'worker'])('the %s of the compose file', (name) => {
  it('is given every variable that a process reads, and no other', () => {
    expect(Object.keys(service(name).environment ?? {}).sort()).toEqual(Object.keys(known).sort());
  });

  it('starts in the production profile with the required ones filled in', () => {
    expect(readSettings(environmentOf(name, filledIn))).toMatchObject({ profile: 'production', webhookTrustedHosts: [] });
  });

  it('refuses trusted webhook hosts in the production profile', () => {
    const environment = environmentOf(name, { ...filledIn, WEBHOOK_TRUSTED_HOSTS: 'localhost:4010' });
    expect(() => readSettings(environment)).toThrow('WEBHOOK_TRUSTED_HOSTS');
  });

  // Contract: service.transport.https
  it.each(['PUBLIC_BASE_URL', 'GUARDIAN_PORTAL_URL', 'PORTAL_URL'])('refuses to have no %s, or one that is not over HTTPS, in the production profile', (address) => {
    const { [address]: url = '', ...environment } = environmentOf(name, filledIn);
    expect(() => readSettings(environment)).toThrow(`${address} must be set to an https:// URL`);
    expect(() => readSettings({ ...environment, [address]: url.replace('https:', 'http:') })).toThrow(`${address} must be set to an https:// URL`);
  });

  it('needs MASTER_KEYS, or both keys of 0.9.0, as an installation has them that is upgraded', () => {
    const { MASTER_KEYS: _left, ...without } = filledIn;
    expect(() => readSettings(environmentOf(name, without))).toThrow('MASTER_KEYS must be set, or ENCRYPTION_KEYS and FINGERPRINT_KEY of an earlier release');
    const of090 = { ...without, ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`, FINGERPRINT_KEY: Buffer.alloc(32, 2).toString('base64') };
    expect(readSettings(environmentOf(name, of090)).keys).toMatchObject([{ kind: 'legacy' }]);
    expect(readSettings(environmentOf(name, { ...of090, MASTER_KEYS: `m1:${Buffer.alloc(32, 3).toString('base64')}` })).keys).toMatchObject([{ kind: 'master', id: 'm1' }, { kind: 'legacy' }]);
  });

  it('names everything that the production profile misses, at once', () => {
    const given = { ...environmentOf(name, filledIn), WEBHOOK_TRUSTED_HOSTS: 'localhost:4010', PUBLIC_BASE_URL: 'http://localhost:4000/v1', PORTAL_URL: undefined };
    expect(() => readSettings(given)).toThrow(
      'WEBHOOK_TRUSTED_HOSTS must be empty; PUBLIC_BASE_URL must be set to an https:// URL; PORTAL_URL must be set to an https:// URL',
    );
  });

  describe('refuses in the production profile', () => {
    const refused: [string, Record<string, string | undefined>, string][] = [
      ['mailpit, which catches all mail', { SMTP_URL: environmentOf(name, { ...filledIn, SMTP_URL: '' }).SMTP_URL }, 'SMTP_URL must name a mail server, not the catcher mailpit'],
      ['Redis without a password', { REDIS_URL: 'redis://redis:6379' }, 'REDIS_URL must have a password'],
      ['Sentinels without a password', { REDIS_SENTINELS: 'a:26379', REDIS_SENTINEL_NAME: 'institution', REDIS_SENTINEL_PASSWORD: '' }, 'REDIS_SENTINEL_PASSWORD must be set with REDIS_SENTINELS'],
      ['headers for a collector that anybody on the way reads', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318', OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an https:// URL or on the loopback address'],
      ['Postgres without verified TLS', { DATABASE_ALLOW_PLAINTEXT: 'false' }, 'DATABASE_URL must have sslmode=verify-full or a socket, unless DATABASE_ALLOW_PLAINTEXT is true'],
      ['Postgres whose certificate nobody verifies', { DATABASE_ALLOW_PLAINTEXT: undefined, DATABASE_URL: 'postgres://a:b@db.example/c?sslmode=require' }, 'DATABASE_URL'],
      ['Postgres without verified TLS past a pooler that is reached with it', { DATABASE_ALLOW_PLAINTEXT: 'false', DATABASE_URL: 'postgres://a@%2Frun%2Fpgbouncer/c', DATABASE_DIRECT_URL: 'postgres://a:b@db.example/c' }, 'DATABASE_DIRECT_URL must be empty, or have sslmode=verify-full or a socket'],
      ['Temporal without TLS', { TEMPORAL_ALLOW_PLAINTEXT: 'false' }, 'TEMPORAL_ADDRESS must be on the loopback address or TEMPORAL_TLS true, unless TEMPORAL_ALLOW_PLAINTEXT is true'],
    ];

    it.each(refused)('%s', (_what, over, problem) => {
      const environment = { ...environmentOf(name, filledIn), ...over };
      expect(() => readSettings(environment)).toThrow(problem);
      expect(() => readSettings({ ...environment, PROFILE: 'development' })).not.toThrow();
    });

    it.each([
      { DATABASE_ALLOW_PLAINTEXT: 'false', DATABASE_URL: 'postgres://a:b@db.example/c?sslmode=verify-full' },
      { DATABASE_ALLOW_PLAINTEXT: 'false', DATABASE_URL: 'postgres://a@%2Frun%2Fpostgresql/c' },
      { TEMPORAL_ALLOW_PLAINTEXT: 'false', TEMPORAL_TLS: 'true', TEMPORAL_ADDRESS: 'temporal.example:7233' },
      { TEMPORAL_ALLOW_PLAINTEXT: 'false', TEMPORAL_ADDRESS: '127.0.0.1:7233' },
      { TEMPORAL_ALLOW_PLAINTEXT: 'false', TEMPORAL_ADDRESS: 'localhost:7233' },
      { REDIS_URL: 'rediss://:secret@redis.example:6379' },
      { REDIS_SENTINELS: 'a:26379', REDIS_SENTINEL_NAME: 'institution', REDIS_SENTINEL_PASSWORD: 'secret' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318', OTEL_EXPORTER_OTLP_HEADERS: '' },
    ])('but not %p', (over) => {
      expect(readSettings({ ...environmentOf(name, filledIn), ...over })).toMatchObject({ profile: 'production', smtpRequireTls: true });
    });
  });

  it('sends emails to mailpit, without TLS, in the development profile, unless a mail server is set', () => {
    const given = { ...filledIn, PROFILE: 'development', SMTP_URL: '' };
    expect(readSettings(environmentOf(name, given))).toMatchObject({ smtpUrl: 'smtp://mailpit:1025', smtpRequireTls: false });
    expect(readSettings(environmentOf(name, { ...given, SMTP_REQUIRE_TLS: 'true' }))).toMatchObject({ smtpRequireTls: true });
    expect(readSettings(environmentOf(name, { ...filledIn, SMTP_REQUIRE_TLS: 'false' }))).toMatchObject({ profile: 'production', smtpRequireTls: false });
  });

  it('refuses to have no mailbox of the platform\'s admins in the production profile', () => {
    const { PLATFORM_ADMIN_EMAIL: _left, ...environment } = environmentOf(name, filledIn);
    expect(() => readSettings(environment)).toThrow('PLATFORM_ADMIN_EMAIL');
  });
});

/** How long the last write of an attempt may take, in ms. */
const writingMs = 2_000;

it('a process that is asked to stop has time to end an attempt or a bulk call and write it, by default and in the compose file', () => {
  const { shutdownTimeoutMs: usual } = readSettings({ ...environmentOf('worker', filledIn), SHUTDOWN_TIMEOUT_MS: undefined });
  for (const timeoutMs of [usual, ...['api', 'worker'].map((name) => readSettings(environmentOf(name, filledIn)).shutdownTimeoutMs)]) {
    expect(timeoutMs).toBeGreaterThanOrEqual(Math.max(exchangeTimeoutMs, readSettings(environmentOf('api', filledIn)).bulkWaitMs) + writingMs);
  }
});

it.each(['api', 'worker'])('the %s is not killed before it has stopped by itself', (name) => {
  const [, grace] = /^(\d+)s$/.exec(service(name).stop_grace_period ?? '') ?? [];
  const { shutdownTimeoutMs } = readSettings(environmentOf(name, filledIn));
  expect(Number(grace) * 1_000).toBeGreaterThan(shutdownTimeoutMs + abortGraceMs + closeTimeoutMs);
});

it('migrates as the owner of the tables, whose password API and worker do not have', () => {
  const { MIGRATION_DATABASE_URL: owner = '', DATABASE_URL: ofService } = environmentOf('migrate', filledIn);
  expect(new URL(owner).username).toBe(service('postgres').environment?.POSTGRES_USER);
  for (const name of ['api', 'worker']) {
    const environment = environmentOf(name, filledIn);
    expect(environment.DATABASE_URL).toBe(ofService);
    expect(new URL(environment.DATABASE_URL ?? '').username).not.toBe(new URL(owner).username);
    expect(JSON.stringify(environment)).not.toContain(filledIn.POSTGRES_PASSWORD);
  }
});

describe('the compose file', () => {
  it.each(Object.keys(filledIn).filter((name) => !checkedByProcesses.includes(name)))('does not start without %s', (missing) => {
    const { [missing]: _left, ...rest } = filledIn;
    expect(() => Object.values(services).flatMap(({ environment = {} }) => Object.values(environment).map((value) => interpolate(value, rest)))).toThrow(missing);
  });

  it('says of each of its variables either its default or that it is required', () => {
    expect(variables.filter(({ rest }) => !/^:[-?]/.test(rest))).toEqual([]);
  });

  it('reads exactly the variables that .env.example documents, and requires those that stand there empty', () => {
    // Those of the overlay for a cluster stand there too.
    const ofCluster = [...read('deploy/cluster/docker-compose.yml').matchAll(/\$\{([A-Z][A-Z0-9_]*):-/g)].map(([, name = '']) => ({ name, rest: ':-' }));
    const documented = [...read('.env.example').matchAll(/^(#?)([A-Z][A-Z0-9_]*)=/gm)].map(([, off = '', name = '']) => ({ name, required: off === '' }));
    const required = new Set([...checkedByProcesses, ...variables.filter(({ rest }) => rest.startsWith(':?')).map(({ name }) => name)]);
    const asRead = [...new Set([...variables, ...ofCluster].map(({ name }) => name))].map((name) => ({ name, required: required.has(name) }));
    const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1);
    expect(documented.sort(byName)).toEqual(asRead.sort(byName));
  });

  it('runs programs that the build makes', () => {
    const programs = ['api', 'worker', 'migrate'].map((name) => service(name).command?.[1] ?? '');
    for (const program of programs) {
      expect(program).toMatch(/^dist\/.+\.js$/);
      expect(existsSync(join(root, program.replace(/^dist\//, '').replace(/js$/, 'ts')))).toBe(true);
    }
    expect(read('Dockerfile')).toContain(`CMD ["node", "${programs[0]}"]`);
  });

  it('waits for services that exist, and for health only where it is checked', () => {
    for (const { depends_on: needs = {} } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(needs)) {
        expect(['service_healthy', 'service_completed_successfully']).toContain(condition);
        expect(service(name).healthcheck !== undefined).toBe(condition === 'service_healthy');
      }
    }
  });

  it('bounds the memory of every service', () => {
    expect(Object.keys(services).filter((name) => service(name).mem_limit === undefined)).toEqual([]);
  });

  it('has stores in networks without a way to the host or the Internet, each reached by those alone that need it', () => {
    expect(Object.entries(networks).filter(([, network]) => network?.internal !== true).map(([network]) => network)).toEqual(['outside']);
    const members = (network: string): string[] => Object.keys(services).filter((one) => service(one).networks?.includes(network) === true);
    expect(Object.fromEntries(Object.keys(networks).map((network) => [network, members(network)]))).toEqual({
      outside: ['api', 'worker', 'temporal-ui', 'mailpit'],
      data: ['api', 'worker', 'migrate', 'postgres', 'redis'],
      workflows: ['api', 'worker', 'temporal', 'temporal-namespace', 'temporal-ui'],
      'temporal-data': ['temporal-postgres', 'temporal-schema', 'temporal'],
    });
    expect(Object.keys(services).filter((one) => service(one).networks === undefined)).toEqual([]);
    expect(Object.keys(services).filter((one) => service(one).ports !== undefined && service(one).networks?.includes('outside') !== true)).toEqual([]);
  });

  it('starts with the secrets that deploy/create-env.sh generates, once the addresses are filled in', () => {
    const folder = mkdtempSync(join(tmpdir(), 'create-env-'));
    copyFileSync(join(root, '.env.example'), join(folder, '.env.example'));
    const create = (): string => execFileSync('sh', [join(root, 'deploy/create-env.sh')], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const said = create();
    const text = readFileSync(join(folder, '.env'), 'utf8');
    const made = Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
    const empty = Object.keys(made).filter((name) => made[name] === '');
    expect(said).toBe(`Fill in .env: ${empty.join(' ')}\n`);
    expect(empty.sort()).toEqual(['GUARDIAN_PORTAL_URL', 'PLATFORM_ADMIN_EMAIL', 'PORTAL_URL', 'PUBLIC_BASE_URL', 'SMTP_URL']);
    const secrets = Object.values(made).filter((value) => value !== '');
    expect(new Set(secrets).size).toBe(secrets.length);
    expect(readSettings(environmentOf('api', { ...made, ...Object.fromEntries(empty.map((name) => [name, filledIn[name] ?? ''])) }))).toMatchObject({ profile: 'production' });
    expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0);
    expect(create).toThrow();
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(text);
  });

  it('names a version of every image', () => {
    for (const { image } of Object.values(services)) expect(interpolate(image, {})).toMatch(/:v?\d[\w.-]*$/);
  });
});

it('package, change log, compose file and its example name one version', () => {
  const { version }: { version: string } = JSON.parse(read('package.json'));
  const [, changed] = /^## (\d+\.\d+\.\d+) /m.exec(read('CHANGELOG.md')) ?? [];
  const images = [source, read('.env.example')].flatMap((text) => [...text.matchAll(/institution-api:(\d[\d.]*)/g)].map(([, image]) => image));
  expect([changed, JSON.parse(read('package-lock.json')).version, ...new Set(images)]).toEqual([version, version, version]);
});

it('the build of the image runs no install script but those that package.json allows by name, under every npm', () => {
  const commands = [...read('Dockerfile').matchAll(/\bnpm (?:ci|install|i|prune|rebuild)\b[^&\n\\]*/g)].map(([command]) => command.trim());
  const rebuilt = commands.filter((command) => command.startsWith('npm rebuild')).flatMap((command) => command.split(' ').slice(2));
  expect(commands.filter((command) => !command.startsWith('npm rebuild') && !command.includes('--ignore-scripts'))).toEqual([]);
  const { allowScripts }: { allowScripts: Record<string, boolean> } = JSON.parse(read('package.json'));
  expect(rebuilt.length).toBeGreaterThan(0);
  expect(rebuilt.filter((name) => allowScripts[name] !== true)).toEqual([]);
});

it('the image has every file that the API serves as a guide', () => {
  const [dockerfile, ignored] = [read('Dockerfile'), read('.dockerignore')];
  const sources = [...dockerfile.matchAll(/^COPY --from=build \/app\/(\S+) /gm)].map(([, source = '']) => source);
  const served = [...readGuides().map(({ path }) => path), 'docs/postman.json', 'llms.txt'];
  expect(served.filter((path) => !sources.some((source) => path === source || path.startsWith(`${source}/`)))).toEqual([]);
  // What the build does not get cannot be copied from it.
  expect(served.filter((path) => !ignored.split('\n').includes(`!${path.split('/')[0] ?? ''}`))).toEqual([]);
});
