import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines } from '../../local/processes';
import type { Progress } from '../../local/progress';
import { projectRoot } from '../../local/projectRoot';
import { waitUntil } from '../../local/waitUntil';
import { endKeptStack, isAnnounced, isKept, keptStack } from '../support/stack/keptStack';

const idleMinutes = 30;
/** Programs may have to be built first. */
const startTimeoutMs = 20 * 60_000;

/** Starts a stack that stays for later runs and ends by itself after half an hour without one; returns when it is up. */
export async function keepStack(progress: Progress): Promise<void> {
  if (keptStack() !== undefined) return;
  // A stack built from an earlier state of the checkout is no longer used, but by a run that began before.
  if (isAnnounced() && (await endKeptStack()) === 'in use') {
    await progress.step('The end of the run that uses the stack of an earlier state of the checkout', () => waitUntil({
      what: 'Its end',
      withinMs: startTimeoutMs,
      check: async () => {
        if ((await endKeptStack()) === 'in use') throw new Error('It goes on.');
      },
    }));
  }
  const folder = join(projectRoot(), process.env.LOCAL_DIR ?? '.local');
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, 'test-stack.log');
  const log = openSync(logFile, 'w');
  const program = ['--require', './test/support/compileSource.js', 'test/support/stack/keep.ts', '--idle-minutes', String(idleMinutes)];
  const keeper = spawn(process.execPath, program, { cwd: projectRoot(), detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  keeper.unref();
  const ended = new AbortController();
  // Another run may have been a moment earlier: then its keeper's stack is waited for.
  keeper.once('exit', () => {
    if (!isKept()) ended.abort(new Error(`The stack for tests could not be started:\n${lastLines(logFile, 15)}`));
  });
  await progress.step(`A stack for tests, kept until ${idleMinutes} minutes after its last use (npm run test:stack -- --end ends it)`, () => waitUntil({
    what: 'The stack for tests',
    withinMs: startTimeoutMs,
    check: async () => {
      if (keptStack() === undefined) throw new Error(lastLines(logFile, 1));
    },
    signal: ended.signal,
  }));
}
