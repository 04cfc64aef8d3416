import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installWithApt, canInstall } from '../../../local/programs/apt';
import { projectRoot } from '../../../local/projectRoot';
import { pause } from '../../../local/waitUntil';
import type { Seen } from '../rules';
import { underLoad, type Trial } from '../trial';

const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((platform) => `/usr/lib/${platform}/faketime/libfaketime.so.1`);
const runMs = 30_000;
const stopGraceMs = 30_000;
/** Some attempts take so long, which is less than their limit: claims are looked at several times until their lease ends. */
const slowMs = 6_000;
const slowEach = 20;

async function library({ progress, record, cluster }: Trial): Promise<string> {
  const find = (): string | undefined => libraries.find((path) => existsSync(path));
  if (find() === undefined && canInstall()) await installWithApt('faketime', 'libfaketime', { environment: process.env, logFile: join(cluster.mailDir, '..', 'logs', 'packages.log'), record, progress });
  const found = find();
  if (found === undefined) throw new Error('No libfaketime: install Debian’s package libfaketime');
  return found;
}

/** What the trial of clocks saw. */
export interface ClocksSeen extends Seen {
  /** Attempts so slow that other workers looked at their claims. */
  long_claims: number;
}

/**
 * Gives one worker and one API clocks that are 60 s apart from the others', for half a minute; timers run as they do. The receiver
 * takes its time for some deliveries, so a worker that measures a lease by its own clock finds claims to take too early.
 */
export async function skewedClocks(trial: Trial): Promise<ClocksSeen> {
  const preload = await library(trial);
  const { cluster: { services }, receiver } = trial;
  const restart = async (name: string, offset: string | undefined): Promise<void> => {
    await services.stop(name, stopGraceMs);
    await services.start(name, { folder: projectRoot(), ...(offset === undefined ? {} : { environment: { LD_PRELOAD: preload, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' } }) });
  };
  const { respond } = receiver;
  let longClaims = 0;
  const seen = await underLoad(trial, 'clocks of a worker and an API 60 s apart', async () => {
    await restart('worker-1', '+60s');
    await restart('api-2', '-60s');
    receiver.respond = async (received, nth) => {
      if (nth % slowEach === 0) {
        await pause(slowMs);
        longClaims += 1;
      }
      return respond(received, nth);
    };
    await pause(runMs);
    receiver.respond = respond;
    await restart('worker-1', undefined);
    await restart('api-2', undefined);
  });
  return { ...seen, long_claims: longClaims };
}
