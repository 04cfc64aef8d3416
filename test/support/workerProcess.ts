import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Settings } from '../../config/settings';
import { projectRoot } from '../../local/projectRoot';
import { environmentOf } from './programs';

/** A worker in a process of its own. */
export interface WorkerProcess {
  /** `kill -9`: it gets no chance to end anything. */
  kill(): Promise<void>;
}

/** Starts the worker's own program under a test's settings; it polls Temporal a few seconds later. */
export function startWorkerProcess(settings: Settings): WorkerProcess {
  const root = projectRoot();
  const program = ['--require', join(root, 'test/support/fromSource.js'), join(root, 'worker/main.ts')];
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: { ...process.env, ...environmentOf(settings), WORKER_PORT: '0' },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
