import { parseArgs } from 'node:util';
import { pause } from '../../../local/waitUntil';
import { announceKeptStack, becomeKeeper, endKeptStack, isBorrowed, isKept } from './keptStack';
import { beginRun } from './run';
import { startStack } from './startStack';

/** A run of some files takes no more workers. */
const workers = 4;
const pollIntervalMs = 1_000;

const endMessages = {
  ended: 'The stack for tests has ended.',
  none: 'No stack for tests is up.',
  'in use': 'A run uses the stack for tests: end it when that has ended.',
};

/** Resolves when no run has used the stack for so long. */
async function waitUntilIdle(idleMs: number): Promise<void> {
  let lastUse = Date.now();
  while (Date.now() - lastUse < idleMs) {
    await pause(pollIntervalMs);
    if (isBorrowed()) lastUse = Date.now();
  }
}

async function keep(idleMs: number): Promise<void> {
  const run = await beginRun();
  try {
    if (!becomeKeeper(run)) {
      process.stdout.write('A stack for tests is kept already; npm run test:stack -- --end ends it.\n');
      return;
    }
    announceKeptStack(run, await startStack(run, workers));
    process.stdout.write('A stack for tests is up: npm test -- PATH uses it. Ctrl-C ends it.\n');
    await waitUntilIdle(idleMs);
  } finally {
    await run.end();
  }
}

/**
 * Keeps a stack for runs of some files until Ctrl-C, or until it has been idle for the minutes that are named. By hand it
 * takes the place of an automatically started stack, which would end half an hour after its last use. `--end` ends one.
 */
async function main(): Promise<void> {
  const { values: { 'idle-minutes': idleMinutes, end } } = parseArgs({ options: { 'idle-minutes': { type: 'string' }, end: { type: 'boolean' } } });
  if (end === true) {
    process.stdout.write(`${endMessages[await endKeptStack()]}\n`);
    return;
  }
  if (idleMinutes === undefined && isKept()) await endKeptStack();
  await keep(idleMinutes === undefined ? Number.POSITIVE_INFINITY : Number(idleMinutes) * 60_000);
}

void main();
