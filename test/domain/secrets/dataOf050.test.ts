import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../../db/migrate';
import { sealedColumns, sealedTables, type SealedTable } from '../../../db/repositories/secrets/sealedColumns';
import { readSealedRows } from '../../../db/repositories/secrets/sealedRows';
import { readInvitationToken as readDeveloperToken } from '../../../domain/developers/invitation';
import { readInvitationToken as readGuardianToken } from '../../../domain/guardians/invitation';
import { canonicalEmail } from '../../../domain/people/personalEmail';
import { createSecretBox } from '../../../domain/secrets/secretBox';
import { signWebhook } from '../../../domain/webhooks/signature';
import { startTestApi, type TestApi } from '../../support/api';
import { acceptInvitation } from '../../support/guardians';
import { resealAll } from '../../support/keyedApis';
import { registerSecret } from '../../support/leaks';
import { migrateUpTo } from '../../support/migrations';
import { startReceiver, type Receiver } from '../../support/receiver';
import { keysOf050, readData050, writeData050 } from '../../support/release050/readData';
import { createSecretBox090 } from '../../support/release090/secretBox';
import { newMasterKey } from '../../support/serviceKeys';
import { signIn } from '../../support/signInCodes';
import { createEmptyDatabase } from '../../support/stack';

const data = readData050();
const [legacy, k1] = [keysOf050(data), newMasterKey('k1')];
/** 0.5.0 signed as 0.9.0 did, which the URL shows that it signed for the year 2100. */
const of050 = createSecretBox090(legacy);
const { api_key: key, institution, student, guardians, developer, endpoint, exam, file, events } = data;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let receiver: Receiver;
/** The APIs after the upgrade, with a master key in addition to the keys of 0.5.0, and without these. */
let [upgraded, rotated, done]: TestApi[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  database = await createEmptyDatabase();
  await migrateUpTo(database.url, (data.tables.migrations ?? []).length);
  await writeData050(database.url, data);
  await migrate(database.url);
  for (const secret of [student.email, guardians.verified.email, guardians.invited.email, developer.email, exam.hidden_key_b64]) registerSecret(secret);
  const start = (keys: Parameters<typeof createSecretBox>[0]) => startTestApi({ keys, databaseUrl: database.url, webhookTrustedHosts: [receiver.host], databasePoolSize: 6 }, { emailsCodes: false });
  [upgraded, rotated, done] = [await start([legacy]), await start([k1, legacy]), await start([k1])];
  const { fileStore } = upgraded.settings;
  if (fileStore.kind !== 'folder') throw new Error('Tests keep their files in a folder');
  mkdirSync(join(fileStore.folder, file.id.slice(-2)), { recursive: true });
  writeFileSync(join(fileStore.folder, file.id.slice(-2), file.id), Buffer.from(file.bytes, 'base64'));
  // The receiver of then is gone.
  await upgraded.api.domain.database.sql('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [endpoint.id, receiver.url]);
});

afterAll(async () => {
  for (const api of [upgraded, rotated, done]) await api?.stop();
  await database.drop();
  await receiver.close();
});

const running = (api: TestApi | undefined): TestApi => {
  if (api === undefined) throw new Error('The API was not started');
  return api;
};

/** Reads everything that 0.5.0 stored over an API with some keys. */
async function requireReadable(api: TestApi): Promise<void> {
  const call = (method: string, path: string, body?: object) => api.call(method, path, { key, body });
  expect((await call('GET', '/me')).status).toBe(200);
  expect((await call('GET', `/students/${student.login_email}`)).data).toMatchObject({ id: student.id, full_name: 'Ada Lovelace', student_id: 'SIS-1', personal_email_mapped: true });
  expect((await call('POST', '/students', { personal_email: student.email })).status).toBe(409);
  const links = (await call('GET', `/students/${student.id}/guardians`)).data.items;
  expect(links.map(({ id, guardian_email }: { id: string; guardian_email: string }) => [id, guardian_email]).sort()).toEqual([guardians.verified, guardians.invited].map(({ id, email }) => [id, email]).sort());
  const developers = await api.platform('GET', `/institutions/${institution.id}/developers`, { headers: { 'x-actor': institution.admin_id } });
  expect(developers.data.items[0]).toMatchObject({ id: developer.id, email: developer.email });
  receiver.received.length = 0;
  expect((await call('POST', `/webhooks/endpoints/${endpoint.id}/test`)).data.delivered).toBe(true);
  const [{ headers, body } = { headers: {} as Record<string, string>, body: '' }] = receiver.received;
  expect(headers).toMatchObject(signWebhook({ secrets: [endpoint.secret, endpoint.previous_secret], eventId: String(headers['webhook-id']), timestampSeconds: Number(headers['webhook-timestamp']), body }));
  expect((await call('POST', `/exams/${exam.id}/code-secret/release`)).data).toEqual({ hidden_key_b64: exam.hidden_key_b64 });
  const later = (await api.call('GET', '/events', { key, query: { since: events.next_since, limit: 200 } })).data.items.map(({ id }: { id: string }) => id);
  expect(later.length).toBeGreaterThan(0);
  expect((await api.platform('GET', '/app/exams', { key: student.session })).status).toBe(200);
}

/** What 0.5.0 adds to the URL of the file until a moment, in Unix seconds. */
const signedUntil = (expires: number): string => `expires=${expires}&signature=${of050.fingerprint('file_url', `${file.id}\0${expires}`).toString('hex')}`;

const download = async ({ baseUrl }: TestApi): Promise<[number, string]> => {
  const response = await fetch(`${baseUrl}/files/${file.id}?${signedUntil(Math.floor(Date.now() / 1_000) + 3_600)}`);
  return [response.status, Buffer.from(await response.arrayBuffer()).toString('base64')];
};

const tokens = ({ api: { domain: { secrets } } }: TestApi) =>
  [readGuardianToken(secrets, guardians.invited.token)?.linkId, readDeveloperToken(secrets, developer.token)?.developerId];

// One after the other: each is a step of the operator.
describe('what the programs of 0.5.0 stored and issued', () => {
  it('is read after the upgrade, and the URLs and links that it signed are valid', async () => {
    await requireReadable(running(upgraded));
    expect(signedUntil(4_102_444_800)).toBe(file.query);
    expect(await download(running(upgraded))).toEqual([200, file.bytes]);
    expect(tokens(running(upgraded))).toEqual([guardians.invited.id, developer.id]);
  });

  it('is read with a master key in addition; its code signs in, and its invitations are accepted', async () => {
    const api = running(rotated);
    await requireReadable(api);
    expect(await download(api)).toEqual([200, file.bytes]);
    expect((await signIn(api, student.login_email, student.waiting_code)).status).toBe(200);
    expect((await acceptInvitation(api, guardians.invited.token)).data).toMatchObject({ id: guardians.invited.id });
    expect((await api.platform('POST', '/invitations/accept', { key: undefined, body: { token: developer.token } })).status).toBe(200);
  });

  it('is moved by a reseal, and read without its keys', async () => {
    expect(await resealAll(running(rotated))).toBe(0);
    await requireReadable(running(done));
  });

  it('is not opened by its keys alone after that, and nothing that they signed is valid without them', async () => {
    const { database: { sql } } = running(done).api.domain;
    const old = createSecretBox([legacy]);
    const opened: string[] = [];
    let sealed = 0;
    const tryOpen = async (table: SealedTable): Promise<void> => {
      for (const row of await readSealedRows(sql, table, { after: null, newestPrefix: ' ', limit: 10_000 })) {
        for (const [index, column] of sealedColumns[table].entries()) {
          const value = row.sealed[index];
          if (value == null) continue;
          sealed += 1;
          try {
            opened.push(`${table}.${column}: ${old.open(value, { institutionId: row.institution_id, table, column, rowId: row.row_id })}`);
          } catch {
            // As it must be.
          }
        }
      }
    };
    for (const table of sealedTables) await tryOpen(table);
    expect(opened).toEqual([]);
    // Four addresses, two secrets of the endpoint, the key of the hidden tests.
    expect(sealed).toBeGreaterThanOrEqual(7);
    const fingerprints = [student.email, guardians.verified.email, guardians.invited.email, developer.email].map((email) => old.fingerprint('personal_email', canonicalEmail(email)));
    expect(await sql('SELECT 1 FROM users WHERE personal_email_hmac = ANY ($1::bytea[])', [fingerprints])).toEqual([]);
    expect((await download(running(done)))[0]).toBe(404);
    expect(tokens(running(done))).toEqual([undefined, undefined]);
  });
});
