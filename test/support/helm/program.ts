import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, ensureCached } from '../../../local/cache';
import { errorMessage } from '../../../local/errors';
import { findProgram } from '../../../local/findProgram';
import { ProcessRecord } from '../../../local/processRecord';
import { buildWithGo } from '../../../local/programs/goBuild';
import type { ProgramSource } from '../../../local/programs/sdkDownload';
import { createProgress } from '../../../local/progress';
import { projectRoot } from '../../../local/projectRoot';

const version = '3.20.0';
const cachedName = `helm-${version}`;

const missing = (reason: string): Error =>
  new Error(`No Helm ${version}: install Go 1.26 or later, with which it is built from source once. ${reason}`);

/** The path of Helm, built once on a machine; throws where it cannot be built. */
export async function provideHelm(source: ProgramSource): Promise<string> {
  const folder = cacheFolder(source.environment);
  const built = join(folder, cachedName);
  if (existsSync(built)) return built;
  const go = findProgram(['go'], source.environment);
  if (go === undefined) throw missing('Go is not on PATH.');
  try {
    return await ensureCached(folder, {
      name: cachedName,
      make: (target) => buildWithGo(go, target, source, {
        title: `Building Helm ${version} with Go, once`,
        program: 'helm.sh/helm/v3/cmd/helm',
        module: join(projectRoot(), 'test', 'support', 'helm'),
        logName: 'helm-build.log',
      }),
      onWait: () => source.progress.log('  Another checkout is building Helm: waiting for it'),
    });
  } catch (error) {
    throw missing(`The build failed: ${errorMessage(error)}`);
  }
}

/** The same for a test, which may be the first that needs it: the build then takes minutes. */
export async function helmOfTests(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'helm-build-'));
  const { record } = await ProcessRecord.claim(join(folder, 'processes.json'));
  try {
    return await provideHelm({
      environment: process.env,
      logFile: join(folder, 'helm.log'),
      record,
      progress: createProgress((line) => process.stderr.write(`${line}\n`), 'short'),
    });
  } finally {
    await record.release(0);
    rmSync(folder, { recursive: true, force: true });
  }
}
