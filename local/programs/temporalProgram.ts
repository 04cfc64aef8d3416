import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cached, cacheFolder } from '../cache';
import { messageOf } from '../errors';
import { findProgram } from '../findProgram';
import { runToEnd } from '../processes';
import { projectRoot } from '../projectRoot';
import { sdkDownload, type ProgramSource } from './sdkDownload';

const version = '1.8.2';
const cachedName = `temporal-${version}`;
const buildWithinMs = 30 * 60_000;
const betweenCountsMs = 2_000;

/** The compiler names each package when it is done with it. */
const packagesDone = (logFile: string): number => {
  try {
    return readFileSync(logFile, 'utf8').split('\n').length - 1;
  } catch {
    return 0;
  }
};

async function build(go: string, target: string, source: ProgramSource): Promise<void> {
  const buildLog = join(dirname(source.logFile), 'temporal-build.log');
  source.progress.say('  There is no Temporal server here yet: it is built from source, once; that takes about 5 minutes on two cores');
  await source.progress.step(`Building the Temporal server ${version} with Go`, async (detail) => {
    const counting = setInterval(() => detail(`${packagesDone(buildLog)} packages fetched and compiled`), betweenCountsMs);
    try {
      await runToEnd({
        name: 'go build',
        program: go,
        args: ['build', '-v', '-buildvcs=false', '-o', target, 'github.com/temporalio/cli/cmd/temporal'],
        cwd: join(projectRoot(), 'local', 'temporal'),
        env: source.environment,
        logFile: buildLog,
        stopSignal: 'SIGTERM',
      }, source.record, buildWithinMs);
    } finally {
      clearInterval(counting);
    }
  });
}

function noTemporal(reason: string): Error {
  return new Error(
    `No Temporal server: set TEMPORAL_ADDRESS to a running one, or put the Temporal CLI ("temporal") on PATH, or let `
    + `this machine reach temporal.download, or install Go 1.26 or later, with which it is built from source. ${reason}`,
  );
}

/** The path of the Temporal CLI, from the first place that has it. */
export async function temporalProgram(source: ProgramSource): Promise<string> {
  const present = findProgram(['temporal'], source.environment);
  if (present !== undefined) return present;
  const folder = cacheFolder(source.environment);
  const built = join(folder, cachedName);
  if (existsSync(built)) return built;
  const downloaded = await sdkDownload('createLocal', source);
  if (downloaded !== undefined) return downloaded;
  const go = findProgram(['go'], source.environment);
  if (go === undefined) throw noTemporal('Go is not on PATH.');
  try {
    return await cached(folder, {
      name: cachedName,
      make: (target) => build(go, target, source),
      onWait: () => source.progress.say('  Another checkout is building the Temporal server: waiting for it'),
    });
  } catch (error) {
    throw noTemporal(`The build failed: ${messageOf(error)}`);
  }
}
