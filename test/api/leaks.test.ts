import { randomBytes } from 'node:crypto';
import { registerSecret, findLeaks, registerRequestSecrets } from '../support/leaks';
import { apiFixture } from '../support/apiFixture';

// Every answer of the test run is searched for what must come back to nobody; these tests hold that the search finds it.

const { api, institution } = apiFixture({ institutionPer: 'file' });

const secretEmail = (): string => `sensitive.${randomBytes(6).toString('hex')}@private.example.org`;

/** A student whose name is said to be this: an answer that holds any text of a test. */
const createStudentNamed = (full_name: string): Promise<unknown> => api.call('POST', '/students', { key: institution.apiKey, body: { full_name } });

describe('a call fails whose answer holds', () => {
  it.each<[what: string, value: () => string]>([
    ['a key', () => institution.apiKey],
    ['a webhook secret', () => `whsec_${randomBytes(32).toString('base64')}`],
    ['a private signing key', () => `whsk_${randomBytes(64).toString('base64')}`],
    ['a session token', () => `ses_${randomBytes(32).toString('base64url')}`],
    ["the admin's mailbox", () => `admin@${institution.loginDomain}`],
  ])('%s', async (_what, value) => {
    await expect(createStudentNamed(`Ada ${value()} Lovelace`)).rejects.toThrow('createStudent answered what it must not');
  });

  it('a personal email that this call sent, in any case', async () => {
    const email = secretEmail();
    const sent = { key: institution.apiKey, body: { personal_email: email, full_name: `<${email.toUpperCase()}>` } };
    await expect(api.call('POST', '/students', sent)).rejects.toThrow('createStudent answered what it must not');
  });

  it('a personal email of an earlier call, that of a bulk item too', async () => {
    const [single, inBulk] = [secretEmail(), secretEmail()];
    await api.call('POST', '/students', { key: institution.apiKey, body: { personal_email: single } });
    await api.call('POST', '/students/bulk', { key: institution.apiKey, body: { students: [{ personal_email: inBulk, full_name: 7 }] } });
    for (const email of [single, inBulk]) await expect(createStudentNamed(email)).rejects.toThrow(email);
  });

  it('a hidden-test key, or the hash of a key', async () => {
    const key = randomBytes(32).toString('base64');
    await api.call('PUT', '/exams/exm_unknown/code-secret', { key: institution.apiKey, body: { hidden_key_b64: key } });
    await expect(createStudentNamed(key)).rejects.toThrow(key);
    const rows = await api.api.domain.database.sql<{ hash: string }>("SELECT encode(key_hash, 'hex') AS hash FROM api_keys WHERE id = $1", [institution.keyId]);
    expect(rows).toHaveLength(1);
    for (const { hash } of rows) await expect(createStudentNamed(hash)).rejects.toThrow(hash);
  });

  it('any of it in an error response', async () => {
    const email = secretEmail();
    await api.call('POST', '/students', { key: institution.apiKey, body: { personal_email: email } });
    // The error names the unknown scopes.
    await expect(api.platform('POST', `/institutions/${institution.id}/keys`, { body: { name: 'k', scopes: [email] } })).rejects.toThrow('createKey answered what it must not');
  });
});

describe('found by its name alone is', () => {
  it.each(['personal_email', 'admin_email', 'license_key', 'password', 'secret', 'api_key', 'hidden_key_b64', 'session', 'recordings', 'guardian_email', 'previous_secret_sealed', 'key_hash', 'code_hmac'])('%s', (field) => {
    expect(findLeaks('getStudent', JSON.stringify({ id: 'stu_1', inner: [{ [field]: null }] }))).toEqual([`"${field}":`]);
    expect(findLeaks('getStudent', JSON.stringify({ message: `"${field}": is unknown`, path: field }))).toEqual([]);
  });

  it('a column of bytes', () => {
    expect(findLeaks('getStudent', JSON.stringify({ of: Buffer.from('x') }))).toEqual(['"type":"Buffer"']);
  });
});

describe('the contract returns', () => {
  it.each([
    ['createKey', 'api_key', 'svc_live_0123456789abcdefghijABCDEFGHIJ01'],
    ['createWebhookEndpoint', 'secret', `whsec_${randomBytes(32).toString('base64')}`],
    ['rotateWebhookSecret', 'secret', `whsec_${randomBytes(32).toString('base64')}`],
    ['signIn', 'session', `ses_${randomBytes(32).toString('base64url')}`],
    ['releaseCodeSecret', 'hidden_key_b64', randomBytes(32).toString('base64')],
    ['releaseHiddenTests', 'hidden_key_b64', randomBytes(32).toString('base64')],
    ['inviteGuardian', 'guardian_email', secretEmail()],
    ['listStudentGuardians', 'guardian_email', secretEmail()],
  ])('by %s the field %s, and nothing of it elsewhere', (operationId, field, value) => {
    registerSecret(value);
    expect(findLeaks(operationId, JSON.stringify({ [field]: value }))).toEqual([]);
    expect(findLeaks(operationId, JSON.stringify({ [field]: value, note: value }))).toEqual([value]);
    expect(findLeaks('getStudent', JSON.stringify({ [field]: value }))).toHaveLength(2);
  });
});

it('a guardian is named by their own address as they sign in, and nowhere else', () => {
  const address = secretEmail();
  registerSecret(address);
  const answer = JSON.stringify({ user: { login_email: address } });
  expect(findLeaks('signIn', answer)).toEqual([]);
  expect(findLeaks('listGuardians', answer)).toEqual([address]);
});

it('an answer of 200 KB is searched within a few milliseconds, for any content', () => {
  for (let nth = 0; nth < 10_000; nth += 1) registerSecret(secretEmail());
  registerRequestSecrets('/students', JSON.stringify({ personal_email: secretEmail() }));
  const texts = ['a'.repeat(200_000), 'a@'.repeat(100_000), '"'.repeat(200_000), JSON.stringify(Array.from({ length: 2_000 }, () => secretEmail()))];
  const begun = performance.now();
  for (const text of texts) expect(findLeaks('listStudents', text)).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
