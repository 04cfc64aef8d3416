import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCached, cacheFolder } from '../cache';
import { errorMessage } from '../errors';
import { findProgram } from '../findProgram';
import { projectRoot } from '../projectRoot';
import { buildWithGo } from './goBuild';
import { sdkDownload, type ProgramSource } from './sdkDownload';

const version = '1.8.2';
const cachedName = `temporal-${version}`;

async function build(go: string, target: string, source: ProgramSource): Promise<void> {
  source.progress.log('  There is no Temporal server here yet: it is built from source, once; that takes about 5 minutes on two cores');
  await buildWithGo(go, target, source, {
    title: `Building the Temporal server ${version} with Go`,
    program: 'github.com/temporalio/cli/cmd/temporal',
    module: join(projectRoot(), 'local', 'temporal'),
    logName: 'temporal-build.log',
  });
}

function temporalMissingError(reason: string): Error {
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
  if (go === undefined) throw temporalMissingError('Go is not on PATH.');
  try {
    return await ensureCached(folder, {
      name: cachedName,
      make: (target) => build(go, target, source),
      onWait: () => source.progress.log('  Another checkout is building the Temporal server: waiting for it'),
    });
  } catch (error) {
    throw temporalMissingError(`The build failed: ${errorMessage(error)}`);
  }
}
