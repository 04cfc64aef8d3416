import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { writePrograms } from './documents';

const root = join(__dirname, '../..');
const readme = 'clients/typescript/README.md';
/** Without the network, and without a word. */
export const quietNpm = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };

/** Produces the same output as the other one, in a third of the time. */
const nativeCompiler = join(root, 'node_modules/typescript-native/bin/tsc');

/** A project of an integrator's, with the client installed as its README says. */
export interface ClientProject {
  /** Makes the client available to programs of another folder; with a `scope`, only the packages of that scope. */
  linkInto(folder: string, scope?: string): void;
  remove(): void;
}

/** Returns the folder of a new repository with the client alone, and what builds it: nothing is built in the checkout. */
export function clientRepository(): string {
  const repository = mkdtempSync(join(tmpdir(), 'client-'));
  const source = join(root, 'clients/typescript');
  cpSync(source, join(repository, 'clients/typescript'), { recursive: true, filter: (path) => !['dist', 'node_modules'].includes(relative(source, path)) });
  const packages = join(repository, 'node_modules');
  mkdirSync(packages);
  symlinkSync(join(root, 'node_modules/@types'), join(packages, '@types'));
  symlinkSync(join(root, 'node_modules/typescript-native'), join(packages, 'typescript'));
  return repository;
}

/** Installs the client, by the very lines of its README. */
export async function installClient(): Promise<ClientProject> {
  const repository = clientRepository();
  const project = writePrograms(readme, ['install.sh']);
  project.write('package.json', '{"name":"school","private":true}');
  await project.run('install.sh', { environment: { REPOSITORY: repository, ...quietNpm } });
  return {
    linkInto: (folder, scope = '.') => symlinkSync(join(project.folder, 'node_modules', scope), join(folder, 'node_modules', scope)),
    remove: () => {
      project.remove();
      rmSync(repository, { recursive: true, force: true });
    },
  };
}

/** Returns the errors of a strict compiler for the programs of a folder with its packages; empty if there are none. */
export async function typeErrorsIn(folder: string, names: readonly string[]): Promise<string> {
  const strict = ['--strict', '--noEmit', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2023', '--module', 'node16', '--allowImportingTsExtensions'];
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  const compiler = spawn(process.execPath, [nativeCompiler, ...strict, ...types, ...names], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  return text(compiler.stdout);
}
