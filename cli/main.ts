#!/usr/bin/env node
import { CommanderError } from 'commander';
import { findConnection } from './connection';
import { createOutput, type CliContext } from './context';
import { exitCodes, CliError, InterruptedError } from './errors';
import type { GlobalOptions } from './options';
import { platformApi } from './platformApi';
import { createProgram } from './program';
import { escapeControlCharacters } from './terminalText';
import { readVersion } from './version';

const abortController = new AbortController();

function openContext({ json, timeout, actor }: GlobalOptions): CliContext {
  const { signal } = abortController;
  const timeoutMs = timeout * 1_000;
  return {
    api: platformApi(findConnection(process.env, process.cwd()), { timeoutMs, actor, signal }),
    ...createOutput({ out: process.stdout, err: process.stderr }, json ? 'json' : 'words'),
    timeoutMs,
    signal,
  };
}

/** What a command ended with, as an exit code; says why on standard error. */
function reportError(error: unknown): number {
  // It has said so itself.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  const cliError = error instanceof CliError || error instanceof InterruptedError ? error : undefined;
  const lines = cliError?.lines() ?? [`failed: ${error instanceof Error ? error.message : String(error)}`];
  for (const line of lines) process.stderr.write(`${escapeControlCharacters(line)}\n`);
  return cliError?.exitCode ?? exitCodes.refused;
}

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Once more ends it at once.
    process.once(signal, () => abortController.abort(new InterruptedError(signal)));
  }
  // Whoever reads may have read enough, as head does: that ends the writing alone, the exit code is the command's.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  await createProgram(readVersion(), openContext).parseAsync();
}

main().catch((error: unknown) => {
  process.exitCode = reportError(error);
});
