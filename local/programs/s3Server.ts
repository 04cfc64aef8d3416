import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCached, cacheFolder } from '../cache';
import { errorMessage } from '../errors';
import { findProgram } from '../findProgram';
import { buildWithGo } from './goBuild';
import type { ProgramSource } from './sdkDownload';
import { projectRoot } from '../projectRoot';

/** Where the S3-compatible server of the cluster and of the file store's tests is, or why there is none. */
export interface FoundS3Server {
  path: string | null;
  missing: string;
}

const version = '1.8.0';
const cachedName = `versitygw-${version}`;

const build = (go: string, target: string, source: ProgramSource): Promise<void> =>
  buildWithGo(go, target, source, {
    title: `Building the S3 server versitygw ${version} with Go, once`,
    program: 'github.com/versity/versitygw/cmd/versitygw',
    module: join(projectRoot(), 'local', 's3'),
    logName: 's3-server-build.log',
  });

const missing = (reason: string): FoundS3Server => ({
  path: null,
  missing: 'No S3 server: name a versitygw in S3_TEST_SERVER, or put "versitygw" on PATH, or install Go 1.26 or later, '
    + `with which it is built from source. ${reason}`,
});

/** The S3-compatible server, from the first place that has it. Only the tests of the S3 driver fail without one. */
export async function findS3Server(source: ProgramSource): Promise<FoundS3Server> {
  const { S3_TEST_SERVER: named } = source.environment;
  if (named !== undefined) return existsSync(named) ? { path: named, missing: '' } : missing(`S3_TEST_SERVER names ${named}, which is not there.`);
  const present = findProgram(['versitygw'], source.environment);
  if (present !== undefined) return { path: present, missing: '' };
  const folder = cacheFolder(source.environment);
  const built = join(folder, cachedName);
  if (existsSync(built)) return { path: built, missing: '' };
  const go = findProgram(['go'], source.environment);
  if (go === undefined) return missing('Go is not on PATH.');
  try {
    const path = await ensureCached(folder, {
      name: cachedName,
      make: (target) => build(go, target, source),
      onWait: () => source.progress.log('  Another checkout is building the S3 server: waiting for it'),
    });
    return { path, missing: '' };
  } catch (error) {
    return missing(`The build failed: ${errorMessage(error)}`);
  }
}
