import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientRepository, quietNpm } from '../support/clientPackage';
import { readDocument } from '../support/documents';

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string }[];
}

const source = join(__dirname, '../../clients/typescript/src');
const exported = ['InstitutionClient', 'InstitutionError', 'WebhookBodyError', 'WebhookVerificationError', 'memoryStore', 'verifyWebhook', 'webhookHandler'];

const run = async (program: string, args: readonly string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(program, args, { cwd, env: { ...process.env, ...quietNpm, npm_config_loglevel: 'error' } })).stdout;

let repository: string;
let project: string;
let packed: Packed;

beforeAll(async () => {
  repository = clientRepository();
  project = mkdtempSync(join(tmpdir(), 'school-'));
  writeFileSync(join(project, 'package.json'), '{"name":"school","private":true}');
  const output = await run('npm', ['pack', '--json', '--silent', '--pack-destination', project], join(repository, 'clients/typescript'));
  [packed = packed] = JSON.parse(output.slice(output.indexOf('[')));
  await run('npm', ['install', join(project, packed.filename)], project);
});

afterAll(() => {
  for (const folder of [repository, project]) rmSync(folder, { recursive: true, force: true });
});

it('the package has the compiled modules with their types, README and license, and nothing else', () => {
  const modules = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.m?ts$/.test(name));
  const compiled = modules.flatMap((name) => [name.replace(/ts$/, 'js'), name.replace(/\.(m?)ts$/, '.d.$1ts')]).map((name) => `dist/${name}`);
  expect(packed.files.map(({ path }) => path).sort()).toEqual(['LICENSE', 'README.md', 'package.json', ...compiled].sort());
});

it('the package names its license, has no dependencies, and is ready for a registry', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(project, 'node_modules/@institution/client/package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: '@institution/client', license: 'UNLICENSED', publishConfig: { provenance: true }, sideEffects: false });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('private');
  expect(readdirSync(join(project, 'node_modules'))).toEqual(['.package-lock.json', '@institution']);
});

it('the README says how large the package is', () => {
  const [, kilobytes, megabytes] = /the package is (\d+) KB, and ([\d.]+) MB once installed/.exec(readDocument('clients/typescript/README.md')) ?? [];
  expect(Math.abs(packed.size / 1_000 - Number(kilobytes))).toBeLessThan(10);
  expect(Math.abs(packed.unpackedSize / 1_000_000 - Number(megabytes))).toBeLessThan(0.1);
});

it('`import` and `require` both get everything, and share the classes', async () => {
  const names = `${JSON.stringify(exported)}.map((name) => typeof client[name])`;
  writeFileSync(join(project, 'required.cjs'), `const client = require('@institution/client'); console.log(JSON.stringify([Object.keys(client).sort(), ${names}]));`);
  writeFileSync(join(project, 'imported.mjs'), `import * as client from '@institution/client'; console.log(JSON.stringify([Object.keys(client).sort(), ${names}]));`);
  writeFileSync(join(project, 'both.mjs'), `
import { createRequire } from 'node:module';
import { InstitutionError } from '@institution/client';
console.log(createRequire(import.meta.url)('@institution/client').InstitutionError === InstitutionError);`);
  const [required, imported, both] = await Promise.all(['required.cjs', 'imported.mjs', 'both.mjs'].map((name) => run(process.execPath, [name], project)));
  const everything = [[...exported].sort(), exported.map(() => 'function')];
  expect([JSON.parse(required ?? ''), JSON.parse(imported ?? ''), both]).toEqual([everything, everything, 'true\n']);
});

it('nothing but the package\'s entry can be imported', async () => {
  await expect(run(process.execPath, ['-e', "require('@institution/client/dist/retries.js')"], project)).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
});
