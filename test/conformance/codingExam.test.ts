import { randomBytes } from 'node:crypto';
import { freePort } from '../../local/ports';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { sendCodeEmails } from '../support/codeEmails';
import { seedExamAttempt } from '../support/seed/submissions';
import { codeIn, codeEmailFor } from '../support/signInCodes';
import { createClient, download, type Client } from './client';
import { decrypt, encrypt, filesIn, sha256Of, zipOf } from './encryptedZip';

// Everything but the attempt, which no call starts yet, goes through the contract's own calls.

let api: TestApi;
let institution: TestInstitution;
let school: Client;
let codeEmails: ReturnType<typeof sendCodeEmails>;

beforeAll(async () => {
  // Signed URLs lead to where the service says that it is.
  const port = await freePort();
  api = await startTestApi({ port, publicBaseUrl: `http://127.0.0.1:${port}/v1` });
  institution = await api.institution();
  school = createClient(api.baseUrl, institution.apiKey);
  codeEmails = sendCodeEmails(api.api.domain, api.settings);
});

afterAll(async () => {
  await codeEmails.stop();
  await api.stop();
});

const starterFiles = { 'sums.py': 'def sum(a, b):\n    ...\n', 'README.md': '# Sums\n' };
const hiddenFiles = { 'run.py': 'from sums import sum\nassert sum(2, 3) == 5\n', 'data/größe.txt': '漢\r\n' };

/** A student of a group, as the institution provisions them. */
async function provisioned(): Promise<{ group: string; student: { id: string; login_email: string } }> {
  const student = await school.callSuccessfully('POST', '/students', { full_name: 'Ada', personal_email: `${randomBytes(6).toString('hex')}@mail.example` });
  const { id: group } = await school.callSuccessfully('POST', '/groups', { name: 'Class 7b', student_ids: [student.login_email] });
  return { group, student };
}

/** Signs a student in as the app does: by a code that comes by mail. */
async function signedIn(loginEmail: string): Promise<Client> {
  const platform = createClient(api.platformUrl);
  await platform.callSuccessfully('POST', '/sign-in/codes', { login_email: loginEmail });
  const code = codeIn(await codeEmailFor(api, loginEmail));
  const { session } = await platform.callSuccessfully('POST', '/sign-in/sessions', { login_email: loginEmail, code });
  return createClient(api.platformUrl, session);
}

/** A coding exam as the guide builds it: draft, files, spec, key, publication to a group. */
async function published(group: string) {
  const [starter, hidden] = [zipOf(starterFiles), encrypt(zipOf(hiddenFiles))];
  const exam = await school.callSuccessfully('POST', '/exams', { faculty_id: institution.adminLoginEmail, title: 'Sums', publish: false });
  const uploads = [await school.upload(`/exams/${exam.id}/files`, 'starter.zip', starter), await school.upload(`/exams/${exam.id}/files`, 'hidden.enc', hidden.ciphertext)];
  const [starterFile, hiddenFile] = uploads.map(({ data }) => data);
  expect(uploads.map(({ status, data }) => [status, data.size, data.sha256])).toEqual([
    [200, starter.length, sha256Of(starter)],
    [200, hidden.ciphertext.length, hidden.sha256],
  ]);
  const code_spec = {
    v: 1,
    brief_md: '# Sums\n\nWrite `sum(a, b)`.',
    toolchain: 'python',
    starter: { kind: 'zip', file: starterFile.file },
    sample_tests: { kind: 'inline', files: [{ path: 'tests/test_sample.py', content: '\tassert True\r\n\r\n' }] },
    hidden_tests: { kind: 'zip-encrypted', file: hiddenFile.file, iv_b64: hidden.iv.toString('base64'), sha256: hidden.sha256 },
    commands: { setup: 'pip list', run: 'python {{workspace}}/sums.py', test_sample: 'pytest', test_hidden: 'python {{hidden}}/run.py > {{results}}/r', timeout_ms: 600_000 },
    ai_policy: { allowed: false, model_tier: 'local' },
    rubric_md: 'One point each.',
    exclude_globs: ['**/__pycache__/**'],
  };
  expect((await school.callSuccessfully('PATCH', `/exams/${exam.id}`, { code_spec })).code_spec).toEqual(code_spec);
  await school.callSuccessfully('PUT', `/exams/${exam.id}/code-secret`, { hidden_key_b64: hidden.key.toString('base64') });
  await school.callSuccessfully('POST', `/exams/${exam.id}/assignments`, { group_ids: [group] });
  const answer = await school.callSuccessfully('POST', `/exams/${exam.id}/publish`);
  expect(answer).toMatchObject({ id: exam.id, status: 'published', app: 'svccode', code_secret_set: true, groups: [{ id: group, member_count: 1 }] });
  return { examId: answer.id as string, starter, hidden, code_spec };
}

// Contract: service.purpose.encrypted-hidden-tests, code-spec.commands.placeholders, hidden-tests.encryption.aes-256-gcm
// Contract: hidden-tests.ciphertext.tag-appended, hidden-tests.fields.iv-b64, hidden-tests.fields.sha256-of-ciphertext
// Contract: hidden-tests.key.set-by-code-secret, hidden-tests.release.once-per-attempt, exams.files.ref-usable-in-code-spec
it('a coding exam goes from its draft to the decrypted hidden tests in the app, byte for byte', async () => {
  const { group, student } = await provisioned();
  const { examId, starter, hidden, code_spec } = await published(group);

  const app = await signedIn(student.login_email);
  const { items } = await app.callSuccessfully('GET', '/app/exams');
  expect(items).toMatchObject([{ id: examId, app: 'svccode', attempt: null }]);
  expect((await app.callSuccessfully('GET', `/app/exams/${examId}`)).code_spec).toBeNull();

  const attemptId = await seedExamAttempt(api, institution, { examId, studentId: student.id });
  const { code_spec: opened } = await app.callSuccessfully('GET', `/app/exams/${examId}`);
  const { rubric_md: _forThoseWhoGrade, ...seen } = code_spec;
  expect(opened).toMatchObject(seen);
  expect(opened).not.toHaveProperty('rubric_md');
  const [fetchedStarter, fetchedHidden] = [await download(opened.starter.file.url), await download(opened.hidden_tests.file.url)];
  expect([fetchedStarter.status, fetchedHidden.status]).toEqual([200, 200]);
  expect([fetchedStarter.bytes.equals(starter), filesIn(fetchedStarter.bytes)]).toEqual([true, starterFiles]);
  expect([fetchedHidden.bytes.equals(hidden.ciphertext), sha256Of(fetchedHidden.bytes)]).toEqual([true, opened.hidden_tests.sha256]);

  const released = await app.callSuccessfully('POST', `/app/attempts/${attemptId}/hidden-tests/release`);
  const key = Buffer.from(released.hidden_key_b64, 'base64');
  const zip = decrypt({ ciphertext: fetchedHidden.bytes, iv: Buffer.from(opened.hidden_tests.iv_b64, 'base64'), key });
  expect(filesIn(zip)).toEqual(hiddenFiles);

  expect(await app.call('POST', `/app/attempts/${attemptId}/hidden-tests/release`)).toMatchObject({ status: 409, error: 'conflict' });
  expect((await app.callSuccessfully('GET', `/app/exams/${examId}`)).attempt).toMatchObject({ id: attemptId, hidden_released_at: released.hidden_released_at });
});

it('the institution reads the same key again, and sees who has had it', async () => {
  const { group, student } = await provisioned();
  const { examId, hidden } = await published(group);
  const app = await signedIn(student.login_email);
  const attemptId = await seedExamAttempt(api, institution, { examId, studentId: student.id });
  const toApp = await app.callSuccessfully('POST', `/app/attempts/${attemptId}/hidden-tests/release`);
  const toSchool = await school.callSuccessfully('POST', `/exams/${examId}/code-secret/release`);
  expect([toApp.hidden_key_b64, toSchool.hidden_key_b64]).toEqual(Array(2).fill(hidden.key.toString('base64')));
  const { key_id } = await school.callSuccessfully('GET', '/me');
  const { set, releases } = await school.callSuccessfully('GET', `/exams/${examId}/code-secret/status`);
  expect([set, releases]).toEqual([
    true,
    [
      { attempt_id: null, student_id: null, released_at: expect.any(String), by: key_id },
      { attempt_id: attemptId, student_id: student.id, released_at: toApp.hidden_released_at, by: 'app' },
    ],
  ]);
});

it('what was encrypted opens with its own key, vector and ciphertext alone', () => {
  const sealed = encrypt(zipOf(hiddenFiles));
  const flipped = (bytes: Buffer, at: number): Buffer => Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));
  expect(filesIn(decrypt(sealed))).toEqual(hiddenFiles);
  const last = sealed.ciphertext.length - 1;
  const wrong = [
    { ...sealed, key: randomBytes(32) },
    { ...sealed, key: flipped(sealed.key, 31) },
    { ...sealed, iv: flipped(sealed.iv, 0) },
    { ...sealed, ciphertext: flipped(sealed.ciphertext, 0) },
    { ...sealed, ciphertext: flipped(sealed.ciphertext, last) },
    { ...sealed, ciphertext: sealed.ciphertext.subarray(0, last) },
  ];
  for (const one of wrong) expect(() => decrypt(one)).toThrow();
});

// Contract: hidden-tests.fields.sha256-of-ciphertext
it('a spec whose digest is that of the plain zip, or of a changed ciphertext, is refused', async () => {
  const hidden = encrypt(zipOf(hiddenFiles));
  const exam = await school.callSuccessfully('POST', '/exams', { faculty_id: institution.adminId, title: 'Sums', publish: false });
  const { data } = await school.upload(`/exams/${exam.id}/files`, 'hidden.enc', hidden.ciphertext);
  const withDigest = (sha256: string) => school.call('PATCH', `/exams/${exam.id}`, {
    code_spec: { v: 1, brief_md: 'b', toolchain: 'c', commands: {}, hidden_tests: { kind: 'zip-encrypted', file: data.file, iv_b64: hidden.iv.toString('base64'), sha256 } },
  });
  for (const bytes of [zipOf(hiddenFiles), Buffer.concat([hidden.ciphertext, Buffer.from([0])])]) {
    expect(await withDigest(sha256Of(bytes))).toMatchObject({ status: 422, error: 'validation_error' });
  }
  expect((await withDigest(hidden.sha256)).status).toBe(200);
});
