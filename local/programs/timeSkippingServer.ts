import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCached, cacheFolder } from '../cache';
import { findProgram } from '../findProgram';
import { runToEnd } from '../processes';
import { projectRoot } from '../projectRoot';
import { sdkDownload, type ProgramSource } from './sdkDownload';

const version = '1.38.0';
const cachedName = `temporal-test-server-${version}`;
const fetchWithinMs = 10 * 60_000;
const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

const launchScript = `#!/bin/sh
exec java -XX:TieredStopAtLevel=1 -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"
`;

async function fetchWithMaven(maven: string, target: string, source: ProgramSource): Promise<void> {
  mkdirSync(target);
  await source.progress.step(`Fetching the time-skipping Temporal test server ${version} with Maven, once`, () => runToEnd({
    name: 'mvn',
    program: maven,
    args: [
      '--batch-mode', '--quiet', copyDependencies,
      '-f', join(projectRoot(), 'local', 'temporal', 'test-server', 'pom.xml'),
      `-DoutputDirectory=${join(target, 'lib')}`, '-DincludeScope=runtime',
    ],
    env: source.environment,
    logFile: source.logFile,
    stopSignal: 'SIGTERM',
  }, source.record, fetchWithinMs));
  writeFileSync(join(target, 'test-server'), launchScript);
  chmodSync(join(target, 'test-server'), 0o755);
}

/**
 * The path of Temporal's time-skipping test server, from the first place that has it: TEMPORAL_TEST_SERVER, the SDK's
 * download, Java and Maven.
 */
export async function timeSkippingServer(source: ProgramSource): Promise<string> {
  const { environment } = source;
  if (environment.TEMPORAL_TEST_SERVER !== undefined) return environment.TEMPORAL_TEST_SERVER;
  const folder = cacheFolder(environment);
  const program = (base: string): string => join(base, 'test-server');
  const present = program(join(folder, cachedName));
  if (existsSync(present)) return present;
  const downloaded = await sdkDownload('createTimeSkipping', source);
  if (downloaded !== undefined) return downloaded;
  const maven = findProgram(['mvn'], environment);
  if (maven === undefined || findProgram(['java'], environment) === undefined) {
    throw new Error(
      'No time-skipping Temporal test server: set TEMPORAL_TEST_SERVER to its path, or let this machine reach '
      + 'temporal.download, or install Java and Maven, with which it is fetched',
    );
  }
  return program(await ensureCached(folder, {
    name: cachedName,
    make: (target) => fetchWithMaven(maven, target, source),
    onWait: () => source.progress.log('  Another checkout is fetching the time-skipping test server: waiting for it'),
  }));
}
