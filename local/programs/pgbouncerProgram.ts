import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, ensureCached } from '../cache';
import { findProgram } from '../findProgram';
import { runToEnd } from '../processes';
import { projectRoot } from '../projectRoot';
import { canInstall } from './apt';
import type { ProgramSource } from './sdkDownload';

const cachedName = 'pgbouncer-1.24';
const buildWithinMs = 10 * 60_000;

/** Whether this is 1.21 or later, which prepares statements in transaction mode. */
async function preparesStatements(program: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)(program, ['--version']);
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 21);
}

/** The path of a PgBouncer that prepares statements in transaction mode, from the first place that has one. */
export async function pgbouncerProgram(source: ProgramSource): Promise<string> {
  const present = findProgram(['pgbouncer'], source.environment);
  if (present !== undefined && (await preparesStatements(present))) return present;
  const folder = cacheFolder(source.environment);
  const built = join(folder, cachedName);
  if (existsSync(built)) return built;
  if (!canInstall()) throw new Error('No PgBouncer: put 1.21 or later on PATH, or run this as root on a Debian family system, where it is built from source');
  return ensureCached(folder, {
    name: cachedName,
    make: (target) => source.progress.step('Building PgBouncer from the sources of Debian, once', () => runToEnd({
      name: 'The build of PgBouncer',
      program: 'sh',
      args: [join(projectRoot(), 'local', 'programs', 'buildPgbouncer.sh'), target],
      cwd: projectRoot(),
      env: source.environment,
      logFile: join(dirname(source.logFile), 'pgbouncer-build.log'),
      stopSignal: 'SIGTERM',
    }, source.record, buildWithinMs)),
    onWait: () => source.progress.log('  Another checkout is building PgBouncer: waiting for it'),
  });
}
