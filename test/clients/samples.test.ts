import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { samplesOf } from '../../api/http/openapi/explorer/samples';
import { locatedOperations } from '../../api/http/openapi/document';
import { publicDocument } from '../../api/http/openapi/publicDocument';
import { publicOperations } from '../../api/operations/public';

const root = join(__dirname, '../..');
const document = publicDocument(publicOperations, 'http://localhost:4000/v1');
const samples = locatedOperations(document).map((located) => ({
  located,
  byId: Object.fromEntries(samplesOf(document, located).map(({ id, text: code }) => [id, code])),
}));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'samples-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('every operation is shown in curl, TypeScript and Python', () => {
  expect(samples).toHaveLength(publicOperations.length);
  for (const { byId } of samples) expect(Object.keys(byId)).toEqual(['curl', 'typescript', 'python']);
});

it('the samples in TypeScript agree with the types of the client', async () => {
  const functions = samples.map(({ byId }, nth) => {
    const lines = (byId.typescript ?? '').split('\n').filter((line) => !line.startsWith('import '));
    return `export async function sample${nth}() {\n${lines.join('\n')}\nreturn data;\n}`;
  });
  const imports = ["import { readFile } from 'node:fs/promises';", "import { InstitutionClient, type BodyOf } from '@institution/client';"];
  // Values of a row of a file, or of settings, may be undefined: body, query and options leave them out.
  const ofSettings = `export const ofSettings = (client: InstitutionClient, { since, ref, signal }: { since: string | null | undefined; ref: string | undefined; signal: AbortSignal | undefined }) => [
    client.feed({ since }, { signal }), client.events.list({ since, limit: undefined }, { signal }), client.paginate('/students', { query: { student_id: ref }, signal }), client.call('GET', '/students', { query: { student_id: ref } }),
    client.call('POST', '/students', { body: { full_name: 'Ada' }, idempotencyKey: ref, signal }), new InstitutionClient({ baseUrl: '', apiKey: '', tries: undefined, allowHttp: undefined }),
  ];`;
  const ofRow = `export const bodyOf = (row: Partial<Record<string, string>>): BodyOf<'POST', '/students'> => ({ full_name: row['name'], student_id: row['id'], personal_email: row['email'] });`;
  writeFileSync(join(folder, 'samples.ts'), [...imports, ofRow, ofSettings, ...functions].join('\n'));
  const compilerOptions = {
    strict: true, noEmit: true, target: 'es2023', lib: ['es2024'], module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true, exactOptionalPropertyTypes: true, types: ['node'],
    paths: { '@institution/client': [join(root, 'clients/typescript/src/index.ts')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['samples.ts'] }));
  const running = spawn(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', folder], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  expect(await text(running.stdout)).toBe('');
});

it('a call that may be repeated has an Idempotency-Key of its own in curl, and in no other language: the clients make one', () => {
  for (const { located: { operation, method }, byId } of samples) {
    const takesKey = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') === true;
    const has = Object.entries(byId).map(([id, code]) => [id, /Idempotency-Key: \$\(uuidgen\)|idempotencyKey|idempotency_key/.test(code)]);
    expect([method, operation.operationId, has]).toEqual([method, operation.operationId, [['curl', takesKey], ['typescript', false], ['python', false]]]);
  }
});

it('each required query parameter is given in each language', () => {
  for (const { located: { operation }, byId } of samples) {
    for (const { name } of operation.parameters?.filter((one) => one.in === 'query' && one.required) ?? []) {
      for (const [id, code] of Object.entries(byId)) expect([operation.operationId, id, code]).toEqual([operation.operationId, id, expect.stringMatching(new RegExp(`\\b${name}\\b`))]);
    }
  }
});
