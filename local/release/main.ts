import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../errors';
import { readJson } from '../jsonFile';
import { projectRoot } from '../projectRoot';
import { lockfileSchema, makeSbom } from './sbom';

/** Writes what belongs to a release into the folder `packages`: the clients for integrators, and the bill of materials of the image. */
function release(): void {
  const root = projectRoot();
  const folder = join(root, 'packages');
  const run = (program: string, args: readonly string[]): void => { execFileSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }); };
  mkdirSync(folder, { recursive: true });
  const lockfile = readJson(join(root, 'package-lock.json'), lockfileSchema);
  if (lockfile === undefined) throw new Error('There is no package-lock.json, or it is not valid');
  const sbom = makeSbom(lockfile, readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const file = `${lockfile.name}-${lockfile.version}.cdx.json`;
  writeFileSync(join(folder, file), `${JSON.stringify(sbom, null, 2)}\n`);
  process.stdout.write(`packages/${file}: ${sbom.components.length} components\n`);
  run('npm', ['pack', './clients/typescript', '--pack-destination', 'packages']);
  run('python3', ['-m', 'pip', 'wheel', '--no-deps', '--wheel-dir', 'packages', './clients/python']);
}

try {
  release();
} catch (error) {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 1;
}
