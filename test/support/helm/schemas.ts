import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, ensureCached } from '../../../local/cache';
import { requirePython } from '../documents';
import type { KubernetesObject } from './objects';

/** Objects as YAML, read: what Kubernetes' own schemas refuse of them, and of which kinds these say nothing. */
export interface ReadObjects {
  objects: KubernetesObject[];
  problems: string[];
  unknown: string[];
}

const requirements = join(__dirname, 'requirements.txt');

function run(what: string, program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8', maxBuffer: 2 ** 27 });
  if (status !== 0) throw new Error(`${what}: ${error?.message ?? `ended with ${status}`}\n${stderr}${stdout}`);
  return stdout;
}

/** A Python with the published schemas of Kubernetes, made once on a machine for these requirements and this Python. */
async function pythonWithSchemas(): Promise<string> {
  requirePython();
  const python = run('Python', 'python3', ['-c', 'import sys; print(sys.version, sys.base_prefix)']);
  const hash = createHash('sha256').update(python).update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = await ensureCached(cacheFolder(), {
    name: `kubernetes-schemas-${hash}`,
    make: async (target) => {
      mkdirSync(target);
      run('The tests of the chart need the module venv (Debian: python3-venv)', 'python3', ['-m', 'venv', join(target, 'venv')]);
      run('The tests of the chart need packages of PyPI, which pip cannot get', join(target, 'venv/bin/python'), [
        '-m', 'pip', 'install', '--disable-pip-version-check', '--quiet', '--require-hashes', '--only-binary', ':all:', '-r', requirements,
      ]);
    },
  });
  return join(folder, 'venv/bin/python');
}

/** Returns what reads YAML and compares it with the schemas of some versions of Kubernetes, unknown fields refused. */
export async function loadSchemas(): Promise<(yaml: string, versions?: readonly string[]) => ReadObjects> {
  const python = await pythonWithSchemas();
  return (yaml, versions = []) => JSON.parse(run('validate.py', python, [join(__dirname, 'validate.py'), ...versions], yaml));
}
