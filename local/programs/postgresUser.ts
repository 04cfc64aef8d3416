import { spawnSync } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

interface Invocation {
  program: string;
  args: readonly string[];
  user?: { uid: number; gid: number };
}

/** How to run the programs of Postgres, which do not run as root. */
export interface PostgresUser {
  chown(path: string): void;
  invoke(program: string, args: readonly string[]): Invocation;
}

const executableByOthers = 0o001;

function readId(flag: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
  return status === 0 ? Number.parseInt(stdout, 10) : undefined;
}

function postgresIds(): { uid: number; gid: number } | undefined {
  const uid = readId('-u');
  const gid = readId('-g');
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

function createPostgresUser(): { uid: number; gid: number } {
  const { error, stderr } = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { encoding: 'utf8' });
  const ids = postgresIds();
  if (ids !== undefined) return ids;
  const reason = error?.message ?? stderr.trim();
  throw new Error(`Postgres does not run as root, and a user "postgres" could not be created: ${reason}`);
}

function isTraversable(folder: string): boolean {
  if ((statSync(folder).mode & executableByOthers) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || isTraversable(parent);
}

/**
 * As anyone but root: Postgres runs as that user. As root: as the user `postgres`, created when missing.
 * `folders` must exist; where that user may not pass through to them (a checkout below /root, say), the programs
 * keep the one capability that lets them pass.
 */
export function postgresUser(folders: readonly string[]): PostgresUser {
  if (process.getuid?.() !== 0) {
    return { chown: () => undefined, invoke: (program, args) => ({ program, args }) };
  }
  const user = postgresIds() ?? createPostgresUser();
  const chown = (path: string): void => chownSync(path, user.uid, user.gid);
  if (folders.every(isTraversable)) return { chown, invoke: (program, args) => ({ program, args, user }) };
  const setprivArgs = [
    '--reuid', String(user.uid), '--regid', String(user.gid), '--clear-groups',
    '--inh-caps', '+dac_override', '--ambient-caps', '+dac_override',
    // Or access(2), by which Postgres looks for its own programs, would leave the capability out.
    '--securebits', '+no_setuid_fixup', '--',
  ];
  return { chown, invoke: (program, args) => ({ program: 'setpriv', args: [...setprivArgs, program, ...args] }) };
}
