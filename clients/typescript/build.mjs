// Builds the package: npm runs it when the package is installed from the repository, and before it is packed.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

/** The compiler of this package or of the repository around it; undefined if neither is installed. */
function findCompiler() {
  try {
    require.resolve('@types/node/package.json');
    const manifest = require.resolve('typescript/package.json');
    return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.tsc);
  } catch {
    return undefined;
  }
}

/** npm installs no development dependencies of a folder that it links. */
function installCompiler() {
  const flags = ['--include=dev', '--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--location=project', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  const compiler = findCompiler();
  if (compiler === undefined) throw new Error('TypeScript could not be installed: run `npm ci` in the repository first');
  return compiler;
}

const compiler = findCompiler() ?? installCompiler();
rmSync(join(folder, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' });
