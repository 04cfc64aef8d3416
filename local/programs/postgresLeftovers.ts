import { existsSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identify, isRunning, type ProcessIdentity } from '../processIdentity';
import { waitUntil } from '../waitUntil';

function linkTarget(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

/** Every process of a Postgres server has its data folder as working directory. */
function findServers(dataDir: string): ProcessIdentity[] {
  const found: ProcessIdentity[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || linkTarget(`/proc/${entry}/cwd`) !== dataDir) continue;
    if (!/\/postgres( \(deleted\))?$/.test(linkTarget(`/proc/${entry}/exe`) ?? '')) continue;
    const identity = identify(Number(entry));
    if (identity !== undefined) found.push(identity);
  }
  return found;
}

function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * Ends what a killed server left on this data folder and removes its lock file, which would stop the next one when
 * its number belongs to another process by now. Where there is no /proc, Postgres's own check has to do.
 */
export async function clearPostgresLeftovers(dataDir: string): Promise<void> {
  if (!existsSync('/proc/self/cwd') || !existsSync(dataDir)) return;
  const folder = realpathSync(dataDir);
  // Backends whose server is gone are ended at once: they hold its shared memory, and the next one recovers.
  for (const left of findServers(folder)) signal(left, 'SIGKILL');
  await waitUntil({
    what: 'The end of an earlier Postgres server',
    withinMs: 5_000,
    check: async () => {
      const left = findServers(folder);
      if (left.length > 0) throw new Error(`process ${left.map(({ pid }) => pid).join(', ')} still runs`);
    },
  });
  rmSync(join(folder, 'postmaster.pid'), { force: true });
}
