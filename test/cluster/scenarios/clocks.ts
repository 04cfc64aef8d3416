import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installWithApt, canInstall } from '../../../local/programs/apt';
import { projectRoot } from '../../../local/projectRoot';
import { pause } from '../../../local/waitUntil';
import { underLoad, type Seen, type Trial } from '../trial';

const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((platform) => `/usr/lib/${platform}/faketime/libfaketime.so.1`);
const runMs = 30_000;
const stopGraceMs = 30_000;

async function library({ progress, record, cluster }: Trial): Promise<string> {
  const find = (): string | undefined => libraries.find((path) => existsSync(path));
  if (find() === undefined && canInstall()) await installWithApt('faketime', 'libfaketime', { environment: process.env, logFile: join(cluster.mailDir, '..', 'logs', 'packages.log'), record, progress });
  const found = find();
  if (found === undefined) throw new Error('No libfaketime: install Debian’s package libfaketime');
  return found;
}

/** Gives one worker and one API clocks that are 60 s apart from the others', for half a minute; timers run as they do. */
export async function skewedClocks(trial: Trial): Promise<Seen> {
  const preload = await library(trial);
  const { services } = trial.cluster;
  const restart = async (name: string, offset: string | undefined): Promise<void> => {
    await services.stop(name, stopGraceMs);
    await services.start(name, { folder: projectRoot(), ...(offset === undefined ? {} : { environment: { LD_PRELOAD: preload, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' } }) });
  };
  return underLoad(trial, 'clocks of a worker and an API 60 s apart', async () => {
    await restart('worker-1', '+60s');
    await restart('api-2', '-60s');
    await pause(runMs);
    await restart('worker-1', undefined);
    await restart('api-2', undefined);
  });
}
