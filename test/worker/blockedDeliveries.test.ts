import type { RunningWorker } from '../../worker/start';
import { hostileAliases, hostileHosts, hostileNames, hostileUrls } from '../domain/webhooks/hostileHosts';
import { useNameServer, startNameServer, type NameServer } from '../outbound/webhooks/nameServer';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { connectToEach, listenOnLoopback, type Loopback } from '../support/loopback';
import { startReceiver, type Receiver } from '../support/receiver';
import { startTestWorker } from '../support/worker';

/** Public by the registries and routed nowhere: what is let through to it goes nowhere. */
const publicNowhere = '3ffe::1';

let loopback: Loopback;
let names: NameServer;
let endNaming: () => void;
let trusted: Receiver;
let api: TestApi;
let worker: RunningWorker;
const zones = new Map<string, (lookup: number) => readonly string[]>(hostileNames.map(({ name, addresses }) => [name, () => addresses]));

beforeAll(async () => {
  loopback = await listenOnLoopback();
  names = await startNameServer((name, lookup) => zones.get(name)?.(lookup) ?? [], hostileAliases);
  endNaming = useNameServer(names);
  trusted = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [trusted.host] });
  worker = await startTestWorker(api.settings);
});

afterAll(async () => {
  await worker.stop();
  await api.stop();
  endNaming();
  await names.close();
  await trusted.close();
  await loopback.close();
});

afterEach(() => {
  expect(loopback.connections()).toEqual(Object.fromEntries(loopback.addresses.map((address) => [address, 0])));
});

const createStudent = ({ apiKey }: TestInstitution) => api.call('POST', '/students', { key: apiKey, body: {} });
const seed = (institution: TestInstitution, url: string): Promise<string> => seedEndpoint(api, institution, url, { events: ['student.created'] });
const withPort = (url: string): string => url.replace('PORT', String(loopback.port));

interface Attempt {
  endpoint_id: string;
  error_class: string;
  response_code: number | null;
  connect_ms: number | null;
}

const attemptsOf = ({ id }: TestInstitution): Promise<Attempt[]> =>
  api.api.domain.database.sql<Attempt>(
    `SELECT d.endpoint_id, a.error_class, a.response_code, a.connect_ms FROM webhook_attempts a JOIN deliveries d ON d.id = a.delivery_id
      WHERE d.institution_id = $1 ORDER BY a.started_at`,
    [id],
  );

/** Seeds an endpoint for each URL, appends one event, and returns the result of the first attempt at each. */
async function firstAttempts(urls: readonly string[]): Promise<{ url: string; errorClass: string; connected: boolean }[]> {
  const institution = await api.institution();
  const seeded = new Map<string, string>();
  for (const url of urls) seeded.set(await seed(institution, url), url);
  await createStudent(institution);
  const attempts = await eventually(
    'an attempt at every endpoint',
    async () => {
      const found = await attemptsOf(institution);
      return new Set(found.map(({ endpoint_id }) => endpoint_id)).size === seeded.size && found;
    },
    25_000,
  );
  return [...seeded].map(([id, url]) => {
    const first = attempts.find(({ endpoint_id }) => endpoint_id === id);
    return { url, errorClass: first?.error_class ?? 'none', connected: first?.connect_ms !== null || first.response_code !== null };
  });
}

// First, while Temporal has nothing else to wait for: its second attempt is a workflow's.
describe('a name that changes between look-ups', () => {
  it('is not connected to when it was public as it was saved and is private as it is attempted', async () => {
    const name = 'rebind.example.com';
    zones.set(name, (lookup) => (lookup === 0 ? [publicNowhere] : ['127.0.0.1', '::1']));
    const institution = await api.institution();
    const body = { url: withPort(`https://${name}:PORT/`), events: ['student.created'] };
    expect((await api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body })).status).toBe(200);
    await createStudent(institution);
    const [attempt] = await eventually('an attempt', async () => {
      const found = await attemptsOf(institution);
      return found.length > 0 && found;
    });
    expect(attempt).toMatchObject({ error_class: 'blocked', response_code: null, connect_ms: null });
    expect(names.lookups(name)).toBe(2);
  });

  it('is looked up again by the retry, which is not connected once the name is private', async () => {
    const name = 'rebind-later.example.com';
    zones.set(name, (lookup) => (lookup <= 1 ? [publicNowhere] : ['127.0.0.1', '127.0.0.2', '::1']));
    const institution = await api.institution();
    const body = { url: withPort(`https://${name}:PORT/`), events: ['student.created'] };
    expect((await api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body })).status).toBe(200);
    await createStudent(institution);
    const attempts = await eventually(
      'a second attempt',
      async () => {
        const found = await attemptsOf(institution);
        return found.length >= 2 && found;
      },
      25_000,
    );
    expect(['connect', 'timeout']).toContain(attempts[0]?.error_class);
    expect(attempts[1]).toMatchObject({ error_class: 'blocked', response_code: null, connect_ms: null });
  });
});

describe('an endpoint that was never let in by the API', () => {
  it('is not connected to where its host is private by its spelling, and its attempt says so', async () => {
    const attempts = await firstAttempts(hostileHosts.map((host) => withPort(`https://${host}:PORT/hook`)));
    expect(attempts.filter(({ errorClass, connected }) => errorClass !== 'blocked' || connected)).toEqual([]);
    expect(attempts.length).toBeGreaterThanOrEqual(100);
  });

  it('is not connected to where its URL misleads by more than its host', async () => {
    const sendable = hostileUrls.map(withPort).filter((url) => !url.includes('\0'));
    const attempts = await firstAttempts(sendable);
    expect(attempts.filter(({ errorClass, connected }) => errorClass !== 'blocked' || connected)).toEqual([]);
  });

  it('is not connected to where its name, or what that is an alias of, leads to an address that is not public', async () => {
    const known = [...hostileNames.map(({ name }) => name), ...Object.keys(hostileAliases)];
    const attempts = await firstAttempts(known.map((name) => withPort(`https://${name}:PORT/`)));
    // The one alias of a name that the name server does not know leads nowhere.
    expect(attempts.filter(({ errorClass }) => errorClass !== 'blocked').map(({ url, errorClass }) => [url, errorClass])).toEqual([
      [withPort('https://alias-inside.example.com:PORT/'), 'dns'],
    ]);
    expect(attempts.filter(({ connected }) => connected)).toEqual([]);
  });
});

it('a redirect to an address that is not public is not followed', async () => {
  const targets = loopback.addresses.map((address) => `http://${address.includes(':') ? `[${address}]` : address}:${loopback.port}/`);
  const locations = [...targets, withPort('https://127.0.0.1:PORT/'), withPort('//localhost:PORT/'), 'http://169.254.169.254/latest/meta-data/'];
  const statuses = [301, 302, 303, 307, 308];
  trusted.respond = (_received, nth) => ({ status: statuses[nth % statuses.length] ?? 302, headers: { location: locations[nth % locations.length] ?? '' } });
  const attempts = await firstAttempts(locations.map((_location, nth) => `${trusted.url}/${nth}`));
  expect(attempts.map(({ errorClass }) => errorClass)).toEqual(locations.map(() => 'http'));
  expect(trusted.received.length).toBeGreaterThanOrEqual(locations.length);
});

describe('the listeners', () => {
  afterEach(async () => {
    await loopback.close();
    loopback = await listenOnLoopback();
  });

  it('would have noticed a connection to any address of this machine', async () => {
    await connectToEach(loopback);
    expect(new Set(Object.values(loopback.connections()))).toEqual(new Set([1]));
  });
});
