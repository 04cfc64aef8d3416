// Writes data.json: what the programs of 0.5.0 store, and what they issue. Run it against that release alone:
//   git worktree add FOLDER v0.5.0, there npm ci && npm start, and then: node test/support/release050/record.mjs FOLDER
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const of050 = createRequire(join(folder, 'package.json'));
const { Client } = of050('pg');
const connection = JSON.parse(readFileSync(join(folder, '.local/connection.json'), 'utf8'));
const secrets = JSON.parse(readFileSync(join(folder, '.local/secrets.json'), 'utf8'));

async function call(base, method, path, { key, body, headers = {} } = {}) {
  const isForm = body instanceof FormData;
  const response = await fetch(base + path, {
    method,
    headers: { ...(key == null ? {} : { authorization: `Bearer ${key}` }), ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
  });
  const answer = JSON.parse(await response.text());
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}
const api = (method, path, body) => call(connection.base_url, method, path, { key: connection.api_key, body });
const platform = (method, path, body, { key = connection.platform_token, headers } = {}) => call(connection.platform_url, method, path, { key, body, headers });

const emails = () => readdirSync(connection.mail_dir).map((name) => readFileSync(join(connection.mail_dir, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='));

/** The first group of a pattern in an email to this address, once it has arrived. */
async function fromEmail(address, pattern, seen = []) {
  for (;;) {
    const found = emails().filter((text) => text.toLowerCase().includes(`to: ${address}`.toLowerCase())).map((text) => pattern.exec(text)?.[1]).find((one) => one !== undefined && !seen.includes(one));
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const token = /[?&]token=([\w.-]+)/;
const code = /^ {4}(\d{6})\r?$/m;
const base64 = (bytes, value) => Buffer.alloc(bytes, value).toString('base64');

const institution = await api('GET', '/institution');
const admin = (await api('GET', '/faculty')).items[0];
const asAdmin = { headers: { 'x-actor': admin.id } };

const student = await api('POST', '/students', { full_name: 'Ada Lovelace', student_id: 'SIS-1', personal_email: 'ada@mail.example' });
const signIn = async (seen) => {
  await platform('POST', '/sign-in/codes', { login_email: student.login_email }, { key: null });
  return fromEmail('ada@mail.example', code, seen);
};
const first = await signIn([]);
const { session } = await platform('POST', '/sign-in/sessions', { login_email: student.login_email, code: first }, { key: null });
const waitingCode = await signIn([first]);

const invite = (address) => api('POST', '/guardians', { student_id: student.id, guardian_email: address, guardian_type: 'mother', guardian_name: 'Anne' });
const verified = await invite('anne@mail.example');
await platform('POST', '/guardian-invitations/accept', { token: await fromEmail('anne@mail.example', token) }, { key: null });
const invited = await invite('byron@mail.example');
const guardianToken = await fromEmail('byron@mail.example', token);
const developer = await platform('POST', `/institutions/${institution.id}/developers`, { email: 'linus@mail.example', name: 'Linus' }, asAdmin);
const developerToken = await fromEmail('linus@mail.example', token);

const endpoint = await api('POST', '/webhooks/endpoints', { url: `http://127.0.0.1:${connection.demo_receiver_port}/hook`, events: ['student.created'] });
const rotated = await api('POST', `/webhooks/endpoints/${endpoint.id}/rotate-secret`);

const draft = await api('POST', '/exams', { faculty_id: admin.id, title: 'Sum', publish: false });
const bytes = Buffer.from('the hidden tests, as 0.5.0 stored them');
const form = new FormData();
form.set('file', new Blob([bytes], { type: 'application/zip' }), 'hidden.zip');
const file = await api('POST', `/exams/${draft.id}/files`, form);
await api('PATCH', `/exams/${draft.id}`, {
  code_spec: {
    v: 1, brief_md: '# Sum', toolchain: 'python', starter: { kind: 'empty' }, sample_tests: { kind: 'inline', files: [{ path: 'test_sum.py', content: 'def test_sum(): ...\n' }] },
    hidden_tests: { kind: 'zip-encrypted', file: { id: file.ref }, iv_b64: base64(12, 7), sha256: file.sha256 },
    commands: { run: 'python main.py', test_sample: 'pytest', test_hidden: 'pytest {{hidden}}', timeout_ms: 30_000 },
  },
});
const hiddenKey = base64(32, 9);
await api('PUT', `/exams/${draft.id}/code-secret`, { hidden_key_b64: hiddenKey });
const { items: events, next_since: nextSince } = await api('GET', '/events?limit=2');

const { createSecretBox } = of050(join(folder, 'dist/domain/secrets/secretBox.js'));
const { signFileUrl } = of050(join(folder, 'dist/domain/files/fileUrls.js'));
const encryptionKeys = secrets.encryption_keys.split(',').map((entry) => ({ id: entry.slice(0, entry.indexOf(':')), key: Buffer.from(entry.slice(entry.indexOf(':') + 1), 'base64') }));
const box = createSecretBox(encryptionKeys, Buffer.from(secrets.fingerprint_key, 'base64'));
/** The year 2100: the test shows by it how 0.5.0 signs, and then signs for an hour itself. */
const expires = 4_102_444_800;

const database = new URL(connection.database_url);
[database.username, database.password] = ['postgres', secrets.postgres_password];
const client = new Client({ connectionString: database.href });
await client.connect();
const { rows: names } = await client.query("SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1");
const tables = {};
for (const { name } of names) {
  const { rows } = await client.query(`SELECT row_to_json(t) AS row FROM ${name} t`);
  if (rows.length > 0) tables[name] = rows.map(({ row }) => row);
}
await client.end();

const data = {
  recorded_at: new Date().toISOString(),
  keys: { encryption_keys: secrets.encryption_keys, fingerprint_key: secrets.fingerprint_key },
  api_key: connection.api_key,
  institution: { id: institution.id, admin_id: admin.id },
  student: { id: student.id, login_email: student.login_email, email: 'ada@mail.example', session, waiting_code: waitingCode },
  guardians: { verified: { id: verified.id, email: 'anne@mail.example' }, invited: { id: invited.id, email: 'byron@mail.example', token: guardianToken } },
  developer: { id: developer.id, email: 'linus@mail.example', token: developerToken },
  endpoint: { id: endpoint.id, previous_secret: endpoint.secret, secret: rotated.secret },
  exam: { id: draft.id, hidden_key_b64: hiddenKey },
  file: { id: file.ref, bytes: bytes.toString('base64'), query: `expires=${expires}&signature=${signFileUrl(box, file.ref, expires)}` },
  events: { first: events.map(({ id }) => id), next_since: nextSince },
  tables,
};
writeFileSync(new URL('data.json', import.meta.url), `${JSON.stringify(data, null, 1)}\n`);
