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

/** Writes the error of a command to standard error, and returns its exit code. */
function reportError(error: unknown): number {
  // Commander has already written the message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  const cliError = error instanceof CliError || error instanceof InterruptedError ? error : undefined;
  const lines = cliError?.lines() ?? [`failed: ${error instanceof Error ? error.message : String(error)}`];
  for (const line of lines) process.stderr.write(`${escapeControlCharacters(line)}\n`);
  return cliError?.exitCode ?? exitCodes.refused;
}

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second signal ends the process immediately.
    process.once(signal, () => abortController.abort(new InterruptedError(signal)));
  }
  // A reader such as head may close the pipe early: that ends the output only, and the exit code stays the command's.
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
