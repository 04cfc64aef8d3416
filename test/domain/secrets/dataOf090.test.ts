import { newId } from '../../../domain/ids';
import { readInvitationToken as readDeveloperToken } from '../../../domain/developers/invitation';
import { isValidFileUrlSignature, signFileUrl, verifyReader } from '../../../domain/files/fileUrls';
import { readInvitationToken as readGuardianToken } from '../../../domain/guardians/invitation';
import { newWebhookSecret, signWebhook } from '../../../domain/webhooks/signature';
import type { TestApi, TestInstitution } from '../../support/api';
import { sendCodeEmails } from '../../support/codeEmails';
import { base64, fullSpec } from '../../support/codingExams';
import { inviteDeveloper } from '../../support/developers';
import { inviteGuardian } from '../../support/guardians';
import { keyedApis, newEmail, resealAll } from '../../support/keyedApis';
import { registerSecret } from '../../support/leaks';
import { createSecretBox090 } from '../../support/release090/secretBox';
import { newLegacyKeys, newMasterKey } from '../../support/serviceKeys';
import { codeEmailFor, codeIn, requestCode, signIn, signInByMail } from '../../support/signInCodes';

const [legacy, k1] = [newLegacyKeys('old'), newMasterKey('k1')];
const of090 = createSecretBox090(legacy);
const apis = keyedApis({ upgraded: [legacy], rotated: [k1, legacy], done: [k1] });

/** Data as 0.9.0 wrote it. */
interface OldData {
  institution: TestInstitution;
  student: { id: string; login_email: string; email: string };
  guardian: { link: string; email: string };
  developer: { id: string; email: string };
  endpoint: { id: string; secret: string };
  exam: string;
  sandbox: TestInstitution;
}

const sql = <Row extends object>(text: string, values: unknown[]) => apis.api('upgraded').api.domain.database.sql<Row>(text, values);
const hiddenKey = base64(32);
const once = (api: TestApi, { apiKey }: TestInstitution) => api.call('POST', '/students', { key: apiKey, body: { full_name: 'Once' }, headers: { 'idempotency-key': 'k' } });

const sealAsOf090 = (id: string, email: string) =>
  sql('UPDATE users SET personal_email_sealed = $2, personal_email_hmac = $3 WHERE id = $1', [id, of090.seal(email), of090.fingerprint('personal_email', email)]);

/** Writes one of everything, and then each sealed value and fingerprint once more with the secret box of 0.9.0. */
async function writeOldData(): Promise<OldData> {
  const api = apis.api('upgraded');
  const institution = await api.institution();
  const sandbox = await api.sandboxOf(institution);
  const post = async (path: string, body: object) => (await api.call('POST', path, { key: institution.apiKey, body })).data;
  const [studentEmail, guardianEmail, developerEmail] = [newEmail(), newEmail(), newEmail()];
  const { id, login_email } = await post('/students', { personal_email: newEmail() });
  await sealAsOf090(id, studentEmail);
  const link = (await inviteGuardian(api, institution, id, newEmail())).data.id;
  const [{ guardian_id: person } = { guardian_id: '' }] = await sql<{ guardian_id: string }>('SELECT guardian_id FROM guardian_links WHERE id = $1', [link]);
  await sealAsOf090(person, guardianEmail);
  const developer = (await inviteDeveloper(api, institution, newEmail())).data.id;
  await sealAsOf090(developer, developerEmail);
  const endpoint = await post('/webhooks/endpoints', { url: apis.receiver.url, events: ['*'] });
  const secret = newWebhookSecret();
  registerSecret(secret);
  await sql("UPDATE webhook_endpoints SET secret_sealed = $2, headers_sealed = $3, header_names = '{X-Key}' WHERE id = $1", [endpoint.id, of090.seal(secret), of090.seal('{"X-Key":"of 0.9.0"}')]);
  const exam = (await post('/exams', { faculty_id: institution.adminId, title: 'Algebra', code_spec: fullSpec, publish: false })).id;
  await sql('UPDATE exams SET hidden_key_sealed = $2, hidden_key_set_at = now() WHERE id = $1', [exam, of090.seal(hiddenKey)]);
  await sql(
    `INSERT INTO sandbox_emails (id, institution_id, message_id, kind, recipient_kind, recipient_id, email_sealed, created_at)
     VALUES ($1, $2, $1, 'exam_announcement', 'student', 'stu_1', $3, now())`,
    [newId('eml'), sandbox.id, of090.seal('{"subject":"Of 0.9.0","text":"","links":[]}')],
  );
  return {
    institution, sandbox, exam,
    student: { id, login_email, email: studentEmail },
    guardian: { link, email: guardianEmail },
    developer: { id: developer, email: developerEmail },
    endpoint: { id: endpoint.id, secret },
  };
}

let data: OldData;
let firstOnce: string;

beforeAll(async () => {
  data = await writeOldData();
  firstOnce = (await once(apis.api('upgraded'), data.institution)).data.id;
});

/** Reads everything over an API with some keys, and uses it. */
async function requireReadable(name: string): Promise<void> {
  const api = apis.api(name);
  const { institution, student, guardian, developer, endpoint, exam, sandbox } = data;
  const call = (method: string, path: string, body?: object) => api.call(method, path, { key: institution.apiKey, body });
  expect((await call('POST', '/students', { personal_email: student.email })).status).toBe(409);
  expect((await call('POST', '/students/bulk', { students: [] })).status).toBe(422);
  expect((await call('GET', `/students/${student.id}/guardians`)).data.items[0]).toMatchObject({ id: guardian.link, guardian_email: guardian.email });
  const developers = await api.platform('GET', `/institutions/${institution.id}/developers`, { headers: { 'x-actor': institution.adminId } });
  expect(developers.data.items[0]).toMatchObject({ id: developer.id, email: developer.email });
  apis.receiver.received.length = 0;
  expect((await call('POST', `/webhooks/endpoints/${endpoint.id}/test`)).data.delivered).toBe(true);
  const [{ headers, body } = { headers: {} as Record<string, string>, body: '' }] = apis.receiver.received;
  const signed = signWebhook({ secrets: [endpoint.secret], eventId: String(headers['webhook-id']), timestampSeconds: Number(headers['webhook-timestamp']), body });
  expect(headers).toMatchObject({ ...signed, 'x-key': 'of 0.9.0' });
  expect((await call('POST', `/exams/${exam}/code-secret/release`)).data).toEqual({ hidden_key_b64: hiddenKey });
  expect((await once(api, institution)).data.id).toBe(firstOnce);
  expect((await api.call('GET', '/sandbox/emails', { key: sandbox.apiKey })).data.items[0].subject).toBe('Of 0.9.0');
  const sender = sendCodeEmails(api.api.domain, api.settings);
  const { email, answer } = await signInByMail(api, student.login_email);
  await sender.stop();
  expect([email.to?.[0]?.address, answer.status]).toEqual([student.email, 200]);
}

// One after the other: each is a step of the operator.
describe('data of 0.9.0', () => {
  it('is read after the upgrade, under its own keys', () => requireReadable('upgraded'));

  it('is read while there is a master key, too', () => requireReadable('rotated'));

  it('a code that was asked for before the rotation signs in after it', async () => {
    const { login_email } = data.student;
    const sender = sendCodeEmails(apis.api('upgraded').api.domain, apis.api('upgraded').settings);
    await requestCode(apis.api('upgraded'), login_email);
    const email = await codeEmailFor(apis.api('upgraded'), login_email, 3);
    await sender.stop();
    expect((await signIn(apis.api('rotated'), login_email, codeIn(email))).status).toBe(200);
  });

  it('and a code that was asked for before a reseal signs in after it', async () => {
    const api = apis.api('rotated');
    const sender = sendCodeEmails(apis.api('upgraded').api.domain, apis.api('upgraded').settings);
    await requestCode(apis.api('upgraded'), data.student.login_email);
    const email = await codeEmailFor(api, data.student.login_email, 4);
    await sender.stop();
    expect(await resealAll(api)).toBe(0);
    expect((await signIn(api, data.student.login_email, codeIn(email))).status).toBe(200);
  });

  it('is read after the reseal without its keys', async () => {
    expect(await resealAll(apis.api('rotated'))).toBe(0);
    await requireReadable('done');
  });

  it('of guardians and developers is found by their address without its keys', async () => {
    const api = apis.api('done');
    const other = (await api.call('POST', '/students', { key: data.institution.apiKey, body: {} })).data.id;
    await inviteGuardian(api, data.institution, other, data.guardian.email);
    const people = await sql("SELECT 1 FROM users WHERE institution_id = $1 AND kind = 'guardian'", [data.institution.id]);
    expect([people.length, (await inviteDeveloper(api, data.institution, data.developer.email)).status]).toEqual([1, 409]);
  });
});

describe('what 0.9.0 has signed is valid as long as its keys are listed', () => {
  const boxes = () => ['upgraded', 'rotated', 'done'].map((name) => apis.api(name).api.domain.secrets);

  it.each([
    ['a guardian\'s invitation', 'guardian_invitation', 'gdn_1', readGuardianToken],
    ['a developer\'s invitation', 'developer_invitation', 'dev_1', readDeveloperToken],
  ] as const)('%s', (_what, purpose, id, read) => {
    const token = `${id}.2.${of090.fingerprint(purpose, `${id}\x002`).toString('base64url')}`;
    expect(boxes().map((box) => read(box, token)?.invitation)).toEqual([2, 2, undefined]);
  });

  it('the URL of a file, and its reader', () => {
    const expires = Math.floor(Date.now() / 1_000) + 60;
    const signature = of090.fingerprint('file_url', `file_1\0${expires}`).toString('hex');
    const nonce = '0123456789abcdef';
    const reader = nonce + of090.fingerprint('file_url', `file_1\0${expires}\0${nonce}`).toString('hex').slice(0, 32);
    expect(signFileUrl(apis.api('upgraded').api.domain.secrets, 'file_1', expires)).toBe(signature);
    expect(boxes().map((box) => isValidFileUrlSignature(box, { id: 'file_1', expires: String(expires), signature }, new Date()))).toEqual([true, true, false]);
    expect(boxes().map((box) => verifyReader(box, { id: 'file_1', expires: String(expires), reader }))).toEqual([nonce, nonce, undefined]);
  });
});
