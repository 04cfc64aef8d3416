import { randomBytes } from 'node:crypto';
import { confide, leaksIn, noteSent } from '../support/leaks';
import { apiOfAllTests, institutionOfAllTests } from '../support/sharedApi';

// Every answer of the test run is searched for what must come back to nobody; these tests hold that the search finds it.

const api = apiOfAllTests();
const north = institutionOfAllTests(api);

const planted = (): string => `planted.${randomBytes(6).toString('hex')}@private.example.org`;

/** A student whose name is said to be this: an answer that holds whatever a test likes. */
const named = (full_name: string): Promise<unknown> => api.call('POST', '/students', { key: north.apiKey, body: { full_name } });

describe('a call fails whose answer holds', () => {
  it.each<[what: string, value: () => string]>([
    ['a key', () => north.apiKey],
    ['a webhook secret', () => `whsec_${randomBytes(32).toString('base64')}`],
    ['a session token', () => `ses_${randomBytes(32).toString('base64url')}`],
    ["the admin's mailbox", () => `admin@${north.loginDomain}`],
  ])('%s', async (_what, value) => {
    await expect(named(`Ada ${value()} Lovelace`)).rejects.toThrow('createStudent answered what it must not');
  });

  it('a personal email that this call sent, in whatever case', async () => {
    const email = planted();
    const sent = { key: north.apiKey, body: { personal_email: email, full_name: `<${email.toUpperCase()}>` } };
    await expect(api.call('POST', '/students', sent)).rejects.toThrow('createStudent answered what it must not');
  });

  it('a personal email of an earlier call, that of a bulk item too', async () => {
    const [single, inBulk] = [planted(), planted()];
    await api.call('POST', '/students', { key: north.apiKey, body: { personal_email: single } });
    await api.call('POST', '/students/bulk', { key: north.apiKey, body: { students: [{ personal_email: inBulk, full_name: 7 }] } });
    for (const email of [single, inBulk]) await expect(named(email)).rejects.toThrow(email);
  });

  it('a hidden-test key, or the hash of a key', async () => {
    const key = randomBytes(32).toString('base64');
    await api.call('PUT', '/exams/exm_unknown/code-secret', { key: north.apiKey, body: { hidden_key_b64: key } });
    await expect(named(key)).rejects.toThrow(key);
    const rows = await api.api.domain.database.sql<{ hash: string }>("SELECT encode(key_hash, 'hex') AS hash FROM api_keys WHERE id = $1", [north.keyId]);
    expect(rows).toHaveLength(1);
    for (const { hash } of rows) await expect(named(hash)).rejects.toThrow(hash);
  });

  it('any of it in a refusal', async () => {
    const email = planted();
    await api.call('POST', '/students', { key: north.apiKey, body: { personal_email: email } });
    // The refusal names the scopes that it does not know.
    await expect(api.platform('POST', `/institutions/${north.id}/keys`, { body: { name: 'k', scopes: [email] } })).rejects.toThrow('createKey answered what it must not');
  });
});

describe('found by its name alone is', () => {
  it.each(['personal_email', 'admin_email', 'license_key', 'password', 'secret', 'api_key', 'hidden_key_b64', 'session', 'recordings', 'guardian_email', 'previous_secret_sealed', 'key_hash', 'code_hmac'])('%s', (field) => {
    expect(leaksIn('getStudent', JSON.stringify({ id: 'stu_1', inner: [{ [field]: null }] }))).toEqual([`"${field}":`]);
    expect(leaksIn('getStudent', JSON.stringify({ message: `"${field}": is unknown`, path: field }))).toEqual([]);
  });

  it('a column of bytes', () => {
    expect(leaksIn('getStudent', JSON.stringify({ of: Buffer.from('x') }))).toEqual(['"type":"Buffer"']);
  });
});

describe('the contract hands out', () => {
  it.each([
    ['createKey', 'api_key', 'svc_live_0123456789abcdefghijABCDEFGHIJ01'],
    ['createWebhookEndpoint', 'secret', `whsec_${randomBytes(32).toString('base64')}`],
    ['rotateWebhookSecret', 'secret', `whsec_${randomBytes(32).toString('base64')}`],
    ['signIn', 'session', `ses_${randomBytes(32).toString('base64url')}`],
    ['releaseCodeSecret', 'hidden_key_b64', randomBytes(32).toString('base64')],
    ['releaseHiddenTests', 'hidden_key_b64', randomBytes(32).toString('base64')],
    ['inviteGuardian', 'guardian_email', planted()],
    ['listStudentGuardians', 'guardian_email', planted()],
  ])('by %s the field %s, and nothing of it elsewhere', (operationId, field, value) => {
    confide(value);
    expect(leaksIn(operationId, JSON.stringify({ [field]: value }))).toEqual([]);
    expect(leaksIn(operationId, JSON.stringify({ [field]: value, note: value }))).toEqual([value]);
    expect(leaksIn('getStudent', JSON.stringify({ [field]: value }))).toHaveLength(2);
  });
});

it('a guardian is named by their own address as they sign in, and nowhere else', () => {
  const address = planted();
  confide(address);
  const answer = JSON.stringify({ user: { login_email: address } });
  expect(leaksIn('signIn', answer)).toEqual([]);
  expect(leaksIn('listGuardians', answer)).toEqual([address]);
});

it('an answer of 200 KB is searched within a few milliseconds, whatever it is', () => {
  for (let nth = 0; nth < 10_000; nth += 1) confide(planted());
  noteSent('/students', JSON.stringify({ personal_email: planted() }));
  const texts = ['a'.repeat(200_000), 'a@'.repeat(100_000), '"'.repeat(200_000), JSON.stringify(Array.from({ length: 2_000 }, () => planted()))];
  const begun = performance.now();
  for (const text of texts) expect(leaksIn('listStudents', text)).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
