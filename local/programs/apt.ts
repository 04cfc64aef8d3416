import { existsSync } from 'node:fs';
import { runToEnd } from '../processes';
import type { ProcessRecord } from '../processRecord';
import type { Progress } from '../progress';

/** What installing needs of the one who asks for it. */
interface AptOptions {
  environment: NodeJS.ProcessEnv;
  logFile: string;
  record: ProcessRecord;
  progress: Progress;
}

const installWithinMs = 300_000;

/** Whether this is root on a system of the Debian family, where a missing program is installed. */
export const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** Installs a package with apt-get; rejects with the reason when that fails, or takes longer than 5 minutes. Only one at a time. */
export async function installWithApt(what: string, packageName: string, options: AptOptions): Promise<void> {
  const aptGet = (args: readonly string[]): Promise<void> => runToEnd({
    name: `apt-get ${args[0] ?? ''}`,
    program: 'apt-get',
    args,
    env: { ...options.environment, DEBIAN_FRONTEND: 'noninteractive' },
    logFile: options.logFile,
    stopSignal: 'SIGTERM',
  }, options.record, installWithinMs);
  await options.progress.step(`${what} is missing: apt-get install -y ${packageName}`, async () => {
    const installing = ['install', '-y', '--no-install-recommends', packageName];
    // A fresh container has no package lists yet.
    await aptGet(installing).catch(async () => {
      await aptGet(['update']);
      await aptGet(installing);
    });
  });
}
