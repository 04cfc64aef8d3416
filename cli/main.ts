#!/usr/bin/env node
import { CommanderError } from 'commander';
import { findConnection } from './connection';
import { writing, type Desk } from './context';
import { exitCodes, Failure, Interrupted } from './errors';
import type { GlobalOptions } from './options';
import { platformApi } from './platformApi';
import { createProgram } from './program';
import { onScreen } from './terminalText';
import { versionOf } from './version';

const ending = new AbortController();

function openDesk({ json, timeout, actor }: GlobalOptions): Desk {
  const { signal } = ending;
  const timeoutMs = timeout * 1_000;
  return {
    api: platformApi(findConnection(process.env, process.cwd()), { timeoutMs, actor, signal }),
    ...writing({ out: process.stdout, err: process.stderr }, json ? 'json' : 'words'),
    timeoutMs,
    signal,
  };
}

/** What a command ended with, as an exit code; says why on standard error. */
function exitCodeOf(error: unknown): number {
  // It has said so itself.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  const told = error instanceof Failure || error instanceof Interrupted ? error : undefined;
  const lines = told?.lines() ?? [`failed: ${error instanceof Error ? error.message : String(error)}`];
  for (const line of lines) process.stderr.write(`${onScreen(line)}\n`);
  return told?.exitCode ?? exitCodes.refused;
}

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Once more ends it at once.
    process.once(signal, () => ending.abort(new Interrupted(signal)));
  }
  // Whoever reads may have read enough, as head does: that ends the writing alone, the exit code is the command's.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  await createProgram(versionOf(), openDesk).parseAsync();
}

main().catch((error: unknown) => {
  process.exitCode = exitCodeOf(error);
});
