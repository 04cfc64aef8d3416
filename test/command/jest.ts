import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { projectRoot } from '../../local/projectRoot';

/** The sets of tests, as jest.config.js names them. */
export type TestSet = 'rules' | 'faults' | 'browser';

interface JestRun {
  sets: readonly TestSet[];
  /** Paths and options for Jest itself. */
  args: readonly string[];
  environment?: NodeJS.ProcessEnv;
  /** The Node that runs Jest and everything that its tests start. */
  node?: string;
}

/** Runs Jest in this terminal; returns its exit code. */
export function runJest({ sets, args, environment = {}, node = process.execPath }: JestRun): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [require.resolve('jest/bin/jest'), ...args, ...(args.some((arg) => arg.startsWith('--selectProjects')) ? [] : ['--selectProjects', ...sets])], {
      cwd: projectRoot(),
      env: { ...process.env, ...environment },
      stdio: 'inherit',
    });
    // A Ctrl-C of the terminal reaches Jest by itself, which ends what it has started.
    process.on('SIGINT', () => undefined);
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
