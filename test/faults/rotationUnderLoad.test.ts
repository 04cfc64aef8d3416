import { randomBytes } from 'node:crypto';
import { verifyWebhook } from '../../clients/typescript/src';
import type { ServiceKeys } from '../../config/serviceKeys';
import type { Settings } from '../../config/settings';
import { migrateFromEnvironment } from '../../db/migrate';
import { scopes } from '../../domain/scopes';
import { freePort } from '../../local/ports';
import { senderRole } from '../../db/sessionSettings';
import { databaseUrlForRole } from '../../local/programs/databaseUrl';
import { withConnection } from '../../local/programs/postgres';
import { resealStatus } from '../../worker/reseal/status';
import { startReseal } from '../../worker/reseal/start';
import { createClient, download, type Client } from '../conformance/client';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { signInByProvider } from '../support/consoleSignIn';
import { section } from '../support/documents';
import { eventually } from '../support/eventually';
import { startIdentityProvider, type TestIdentityProvider } from '../support/identityProvider';
import { openPrograms, type Programs } from '../support/programs';
import { startReceiver, type Receiver } from '../support/receiver';
import { startRollout, type Rollout } from '../support/rollout';
import { startSchoolTraffic, type Credentials, type SchoolTraffic } from '../support/schoolTraffic';
import { newMasterKey } from '../support/serviceKeys';
import { addStaffMember } from '../support/staff';
import { closeTestTemporal } from '../support/temporal';

// A school day goes on while every secret is changed once: the restarts are those of the runbook's table, cell by cell.

const runbook = 'docs/operations/runbook.md';
const heading = '## Every secret is rotated';
const processes = 2;

/** What a cell of the table says of a variable: which of its two values it has, in order. */
type Generation = 'old' | 'new';
type Restart = Readonly<Record<'MASTER_KEYS' | 'PLATFORM_TOKEN' | 'OIDC_CLIENT_SECRET' | 'DATABASE_URL', readonly Generation[]>>;

const isGeneration = (text: string): text is Generation => text === 'old' || text === 'new';

/** The restarts of the runbook, in order; the first row is what runs before. */
function documentedRestarts(): Restart[] {
  const rows = [...section(runbook, heading).matchAll(/^\| (?:before|first|second|third) \| (.+) \|$/gm)].map(([, cells = '']) => cells.split(' | ').map((cell) => cell.replaceAll('`', '').split(',').filter(isGeneration)));
  return rows.map(([masterKeys = [], platformToken = [], clientSecret = [], databaseUrl = []]) => ({ MASTER_KEYS: masterKeys, PLATFORM_TOKEN: platformToken, OIDC_CLIENT_SECRET: clientSecret, DATABASE_URL: databaseUrl }));
}

const masterKeys = { old: newMasterKey('k1'), new: newMasterKey('k2') };
const platformTokens = { old: randomBytes(32).toString('base64url'), new: randomBytes(32).toString('base64url') };
const suffix = randomBytes(4).toString('hex');
const roles = { old: `institution_old_${suffix}`, new: `institution_new_${suffix}` };
let clientSecrets: Record<Generation, string>;

let programs: Programs;
let api: TestApi;
let receiver: Receiver;
let provider: TestIdentityProvider;
let service: Rollout;
let traffic: SchoolTraffic;
let institution: TestInstitution;
let credentials: Credentials;
let settingsOf: (restart: Restart) => Settings;

const urlOf = (generation: Generation, url = api.stack.ownerDatabaseUrl): string => databaseUrlForRole(url, roles[generation], new URL(api.stack.ownerDatabaseUrl).password);
const asOwner = (text: string): Promise<unknown> => withConnection(api.stack.ownerDatabaseUrl, (client) => client.query(text));
/** `npm run migrate`, which makes the role of `DATABASE_URL` and gives it its rights. */
const migrate = (generation: Generation): Promise<string> => migrateFromEnvironment({ DATABASE_URL: urlOf(generation), MIGRATION_DATABASE_URL: api.stack.ownerDatabaseUrl });

beforeAll(async () => {
  programs = openPrograms();
  const ports = { port: await freePort(), platformPort: await freePort() };
  [receiver, provider] = await Promise.all([startReceiver(), startIdentityProvider([ports.platformPort])]);
  const oidc = provider.settingsFor(ports.platformPort);
  clientSecrets = { old: oidc.clientSecret, new: `another-${suffix}` };
  api = await startTestApi({
    keys: [masterKeys.old], platformToken: platformTokens.old, oidc, webhookTrustedHosts: [receiver.host], publicBaseUrl: `http://127.0.0.1:${ports.port}/v1`, shutdownTimeoutMs: 10_000,
  });
  settingsOf = (restart) => {
    const [platformToken = '', ...earlierPlatformTokens] = restart.PLATFORM_TOKEN.map((generation) => platformTokens[generation]);
    const [clientSecret] = restart.OIDC_CLIENT_SECRET;
    const [role = 'old'] = restart.DATABASE_URL;
    const { databaseUrl, databaseDirectUrl } = api.settings;
    const [first = 'old', ...rest] = restart.MASTER_KEYS;
    const keys: ServiceKeys = [masterKeys[first], ...rest.map((generation) => masterKeys[generation])];
    return {
      ...api.settings, keys, platformToken, earlierPlatformTokens, oidc: { ...oidc, clientSecret: clientSecrets[clientSecret ?? 'old'] },
      databaseUrl: urlOf(role, databaseUrl), databaseDirectUrl: databaseDirectUrl === null ? null : urlOf(role, databaseDirectUrl),
    };
  };
  await migrate('old');
  const [before] = documentedRestarts();
  if (before === undefined) throw new Error(`${runbook} has no table of restarts`);
  service = await startRollout(programs, ports, processes, settingsOf(before));
});

afterAll(async () => {
  await traffic.stop();
  await programs.end();
  await service.end();
  for (const role of Object.values(roles).flatMap((name) => [name, senderRole(name)])) await asOwner(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await closeTestTemporal();
  await api.stop();
  await provider.stop();
  await receiver.close();
});

const asPlatform = (generation: Generation): Client => createClient(`${service.platformOrigin}/platform/v1`, platformTokens[generation]);
const school = (key = credentials.apiKey): Client => createClient(service.baseUrl, key);
const consoleStatus = async (cookie: string): Promise<number> => (await fetch(`${service.platformOrigin}/console/institutions`, { headers: { cookie }, redirect: 'manual' })).status;

/** Which of these secrets a delivery is signed with. */
const isSignedWith = ({ body, headers }: Receiver['received'][number], secret: string): boolean => {
  try {
    verifyWebhook(body, { 'webhook-id': String(headers['webhook-id']), 'webhook-timestamp': String(headers['webhook-timestamp']), 'webhook-signature': String(headers['webhook-signature']) }, secret);
    return true;
  } catch {
    return false;
  }
};

it('every secret is changed in a school day, as the runbook says: no call fails, nothing is lost, and the old ones are refused after', async () => {
  const [, ...restarts] = documentedRestarts();
  expect(restarts.map(({ MASTER_KEYS, PLATFORM_TOKEN }) => [MASTER_KEYS.join(), PLATFORM_TOKEN.join()])).toEqual([['old,new', 'old,new'], ['new,old', 'new,old'], ['new', 'new']]);
  const [first, second, third] = restarts;
  if (first === undefined || second === undefined || third === undefined) throw new Error('The runbook has three restarts');
  const sub = `sub-${suffix}`;
  provider.accounts.set(sub, { sub, name: 'Olga Operator', email: `olga.${suffix}@platform.example`, email_verified: true, groups: ['support-desk'] });
  institution = await api.institution();
  const member = await addStaffMember(api);
  credentials = { apiKey: institution.apiKey, platformToken: platformTokens.old, staffToken: member.token, consoleSession: await signInByProvider(service.platformOrigin, sub) };
  const old = { ...credentials };

  // The receiver takes what is signed with the secret that it knows, and nothing else.
  const endpoint = await school().callSuccessfully('POST', '/webhooks/endpoints', { url: receiver.url, events: ['*'] });
  let knownSecret: string = endpoint.secret;
  const refused: string[] = [];
  receiver.respond = (received) => {
    if (isSignedWith(received, knownSecret)) return 200;
    refused.push(String(received.headers['webhook-id']));
    return 401;
  };

  traffic = startSchoolTraffic({ baseUrl: service.baseUrl, platformOrigin: service.platformOrigin, mail: api.stack.mail, institution, consoleSub: sub, credentials });
  await traffic.onceMore();
  const firstLesson = await eventually('a lesson', () => traffic.lessons[0]);
  const { next_cursor: oldCursor } = await school().callSuccessfully('GET', '/students?limit=1');

  // What can be done before any restart: a second secret at the provider, a second role in the database.
  provider.clientSecrets.add(clientSecrets.new);
  await migrate('new');
  expect(await service.restart(settingsOf(first))).toEqual(Array(2 * processes).fill(0));
  provider.clientSecrets.delete(clientSecrets.old);
  for (const role of [roles.old, senderRole(roles.old)]) await asOwner(`ALTER ROLE ${role} NOLOGIN`);
  await traffic.onceMore();

  expect(await service.restart(settingsOf(second))).toEqual(Array(2 * processes).fill(0));
  credentials.platformToken = platformTokens.new;
  await startReseal(settingsOf(second));
  credentials.consoleSession = await signInByProvider(service.platformOrigin, sub);

  // What its owners change by calls.
  const key = await asPlatform('new').callSuccessfully('POST', `/institutions/${institution.id}/keys`, { name: 'SIS, new', scopes: scopes.map(({ scope }) => scope), rate_limit_per_min: 6_000 });
  const token = await createClient(`${service.platformOrigin}/platform/v1`, old.staffToken).callSuccessfully('POST', `/staff/${member.id}/tokens`, { name: 'New' });
  credentials.apiKey = key.api_key;
  credentials.staffToken = token.staff_token;
  const { secret: newSecret } = await school().callSuccessfully('POST', `/webhooks/endpoints/${endpoint.id}/rotate-secret`, { grace_hours: 1 });
  await traffic.onceMore();
  knownSecret = newSecret;
  await traffic.onceMore();
  await asPlatform('new').callSuccessfully('DELETE', `/keys/${institution.keyId}`);
  await asPlatform('new').callSuccessfully('DELETE', `/staff/${member.id}/tokens/${member.tokenId}`);
  await asOwner(`UPDATE webhook_endpoints SET previous_secret_expires_at = now() - interval '1 second' WHERE id = '${endpoint.id}'`);
  const unusedKey = /^k1: no value is sealed under it\./m;
  await eventually('everything sealed under the new key', async () => unusedKey.test(await resealStatus(settingsOf(second))));

  expect(await service.restart(settingsOf(third))).toEqual(Array(2 * processes).fill(0));
  await traffic.onceMore();
  const receivedBefore = receiver.received.length;
  await eventually('deliveries after the last restart', () => receiver.received.length > receivedBefore + 3);
  await traffic.stop();

  expect(traffic.failures).toEqual([]);
  expect(refused).toEqual([]);
  expect(Math.min(...traffic.done.values())).toBeGreaterThan(5);
  await requireNothingLost();
  // It would name a key that values need and no list has.
  expect(await resealStatus(settingsOf(third))).not.toContain('k1');
  await requireOldOnesRefused(old, { endpointSecret: endpoint.secret, cursor: oldCursor, fileUrl: firstLesson.fileUrl });
});

async function requireNothingLost(): Promise<void> {
  for (const id of traffic.students) expect(await school().callSuccessfully('GET', `/students/${id}`)).toMatchObject({ id });
  for (const { submissionId, guardianLinkId, studentId, contents } of traffic.lessons) {
    const submission = await school().callSuccessfully('GET', `/submissions/${submissionId}`);
    expect(submission).toMatchObject({ status: 'graded', student_id: studentId });
    expect((await download(submission.attachments[0].url)).bytes.toString()).toBe(contents);
    expect((await school().callSuccessfully('GET', `/students/${studentId}/guardians`)).items).toMatchObject([{ id: guardianLinkId, status: 'accepted' }]);
  }
  // Every event since the endpoint exists has arrived, signed with the secret that the receiver knew.
  const { sql } = api.api.domain.database;
  const events = (): Promise<{ id: string }[]> => sql("SELECT id FROM events WHERE institution_id = $1 AND created_at > (SELECT min(created_at) FROM webhook_endpoints WHERE institution_id = $1)", [institution.id]);
  await eventually('every event at the receiver', async () => {
    const arrived = new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])));
    return (await events()).every(({ id }) => arrived.has(id));
  });
  expect((await events()).length).toBeGreaterThan(20);
}

async function requireOldOnesRefused(old: Credentials, { endpointSecret, cursor, fileUrl }: { endpointSecret: string; cursor: string; fileUrl: string }): Promise<void> {
  expect((await school(old.apiKey).call('GET', '/me')).status).toBe(401);
  expect((await asPlatform('old').call('GET', '/institutions')).status).toBe(401);
  expect((await createClient(`${service.platformOrigin}/platform/v1`, old.staffToken).call('GET', '/institutions')).status).toBe(401);
  expect([await consoleStatus(old.consoleSession), await consoleStatus(credentials.consoleSession)]).toEqual([303, 200]);
  const last = receiver.received.at(-1);
  expect(last !== undefined && isSignedWith(last, endpointSecret)).toBe(false);
  expect(await school().call('GET', `/students?limit=1&cursor=${encodeURIComponent(cursor)}`)).toMatchObject({ status: 422 });
  expect((await download(fileUrl)).status).toBe(404);
  await expect(withConnection(urlOf('old'), (client) => client.query('SELECT 1'))).rejects.toThrow(/not permitted to log in/);
  const atProvider = await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'support-console', client_secret: clientSecrets.old }),
  });
  expect(atProvider.status).toBe(401);
}
