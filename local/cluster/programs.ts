import { join } from 'node:path';
import { cacheFolder, ensureCached } from '../cache';
import { findProgram } from '../findProgram';
import { projectRoot } from '../projectRoot';
import { canInstall, installWithApt } from '../programs/apt';
import { buildWithGo } from '../programs/goBuild';
import { pgbouncerProgram } from '../programs/pgbouncerProgram';
import { postgresPrograms } from '../programs/postgresPrograms';
import { findS3Server } from '../programs/s3Server';
import type { ProgramSource } from '../programs/sdkDownload';

/** The paths of what the cluster runs. */
export interface ClusterPrograms {
  temporalServer: string;
  /** Makes Temporal's tables. */
  temporalSqlTool: string;
  temporalUi: string;
  /** The folder of the programs of Postgres. */
  postgres: string;
  pgbouncer: string;
  haproxy: string;
  redisServer: string;
  s3Server: string;
}

/** The version of go.mod, whose server is the one of `npm start` too. */
const temporalVersion = '1.31.2';
const uiVersion = '2.50.1';

/** A program of the module of Temporal's server, built once. */
function builtProgram(source: ProgramSource, name: string, version: string, program: string): Promise<string> {
  const onPath = findProgram(['go'], source.environment);
  const make = (target: string): Promise<void> => {
    if (onPath === undefined) throw new Error(`No ${name}: install Go 1.26 or later, with which it is built from source`);
    return buildWithGo(onPath, target, source, { title: `Building ${name} ${version} with Go, once`, program, module: join(projectRoot(), 'local', 'temporal'), logName: `${name}-build.log` });
  };
  return ensureCached(cacheFolder(source.environment), { name: `${name}-${version}`, make, onWait: () => source.progress.log(`  Another checkout is building ${name}: waiting for it`) });
}

async function temporalPrograms(source: ProgramSource): Promise<Pick<ClusterPrograms, 'temporalServer' | 'temporalSqlTool' | 'temporalUi'>> {
  // One after the other: they have most of their packages in common.
  const temporalServer = await builtProgram(source, 'temporal-server', temporalVersion, 'go.temporal.io/server/cmd/server');
  const temporalSqlTool = await builtProgram(source, 'temporal-sql-tool', temporalVersion, 'go.temporal.io/server/cmd/tools/sql');
  const temporalUi = await builtProgram(source, 'temporal-ui', uiVersion, 'github.com/temporalio/ui-server/v2/cmd/server');
  return { temporalServer, temporalSqlTool, temporalUi };
}

/** Returns the path of a program on PATH, else installed with apt; throws with what to install where that cannot be done. */
export async function installedProgram(source: ProgramSource, names: readonly string[], packageName: string): Promise<string> {
  // Debian has some in a folder that is not on everybody's PATH.
  const environment = { ...source.environment, PATH: `${source.environment.PATH ?? ''}:/usr/sbin:/sbin` };
  const present = findProgram(names, environment);
  if (present !== undefined) return present;
  if (canInstall()) await installWithApt(packageName, packageName, source);
  const installed = findProgram(names, environment);
  if (installed === undefined) throw new Error(`No ${names.join(' or ')}: install it so that it is on PATH, or run this as root on a Debian family system, where it is installed with apt-get`);
  return installed;
}

/** What apt has, one after the other. */
async function packagedPrograms(source: ProgramSource): Promise<Pick<ClusterPrograms, 'redisServer' | 'haproxy' | 'pgbouncer'>> {
  const redisServer = await installedProgram(source, ['redis-server', 'valkey-server'], 'redis-server');
  const haproxy = await installedProgram(source, ['haproxy'], 'haproxy');
  // Its build installs packages too.
  return { redisServer, haproxy, pgbouncer: await pgbouncerProgram(source) };
}

async function s3Server(source: ProgramSource): Promise<string> {
  const { path, missing } = await findS3Server(source);
  if (path === null) throw new Error(missing);
  return path;
}

/** Finds what the cluster runs; what this machine lacks is installed, fetched or built, once. Throws with what cannot be had. */
export async function clusterPrograms(source: Omit<ProgramSource, 'logFile'>, logs: string): Promise<ClusterPrograms> {
  const logged = (name: string): ProgramSource => ({ ...source, logFile: join(logs, `${name}.log`) });
  const [temporal, packaged, postgres, s3] = await Promise.all([
    temporalPrograms(logged('temporal-programs')),
    packagedPrograms(logged('packages')),
    postgresPrograms(),
    s3Server(logged('s3-server')),
  ]);
  return { ...temporal, ...packaged, postgres, s3Server: s3 };
}

