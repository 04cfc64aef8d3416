import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';
import { ensureCached, cacheFolder } from '../cache';
import { readJson } from '../jsonFile';
import type { ProcessRecord } from '../processRecord';
import { startProcess } from '../processes';
import type { Progress } from '../progress';
import { projectRoot } from '../projectRoot';
import { pause } from '../waitUntil';

/** Which program the SDK is to fetch, as TestWorkflowEnvironment's methods name it. */
export type SdkServer = 'createLocal' | 'createTimeSkipping';

export interface ProgramSource {
  environment: NodeJS.ProcessEnv;
  logFile: string;
  record: ProcessRecord;
  progress: Progress;
}

/** A machine without a way to the download site is to notice it soon. */
const firstByteWithinMs = 6_000;
const wholeWithinMs = 300_000;

function sdkVersion(): string {
  const manifest = require.resolve('@temporalio/testing/package.json', { paths: [projectRoot()] });
  return readJson(manifest, Joi.object<{ version: string }>({ version: Joi.string().required() }).unknown())?.version ?? 'unknown';
}

const downloadScript = `
const { TestWorkflowEnvironment } = require('@temporalio/testing');
const [method, downloadDir] = process.argv.slice(1);
TestWorkflowEnvironment[method]({ server: { executable: { type: 'cached-download', downloadDir } } })
  .then((environment) => environment.teardown())
  .then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
`;

function filesIn(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name)).filter((file) => statSync(file).isFile());
}

async function download(server: SdkServer, folder: string, source: ProgramSource): Promise<void> {
  mkdirSync(folder);
  const downloadProcess = await startProcess({
    name: 'download by the Temporal SDK',
    program: process.execPath,
    args: ['-e', downloadScript, server, folder],
    cwd: projectRoot(),
    env: source.environment,
    logFile: source.logFile,
    stopSignal: 'SIGTERM',
  }, source.record);
  const startedAt = Date.now();
  let exit: number | null | undefined;
  void downloadProcess.exited.then(({ code }) => { exit = code; });
  while (exit === undefined) {
    const waited = Date.now() - startedAt;
    if (waited > wholeWithinMs || (waited > firstByteWithinMs && filesIn(folder).length === 0)) await downloadProcess.stop(500);
    await pause(100);
  }
  if (exit !== 0) throw new Error('The Temporal SDK could not download its server');
}

/** The program as the SDK downloads it, kept in the cache; undefined when it cannot be downloaded. */
export async function sdkDownload(server: SdkServer, source: ProgramSource): Promise<string | undefined> {
  const folder = await source.progress.step('Looking for a download of the Temporal SDK', () => ensureCached(
    cacheFolder(source.environment),
    { name: `sdk-${sdkVersion()}-${server}`, make: (target) => download(server, target, source) },
  ).catch(() => undefined));
  if (folder === undefined) return undefined;
  const [program] = filesIn(folder);
  if (program === undefined) rmSync(folder, { recursive: true, force: true });
  return program;
}
