#!/usr/bin/env node
import { CommanderError } from 'commander';
import { createCall } from './call';
import { choosesKey, findConnection, findKeyConnection, isTestKey } from './connection';
import { createOutput, type Terminal } from './context';
import { errorEnvelope, exitCodes, usageError, CliError, InterruptedError } from './errors';
import type { GlobalOptions } from './options';
import { platformApi } from './platformApi';
import { createProgram, type OpenContexts } from './program';
import { PublicApi } from './publicApi';
import { escapeControlCharacters, formatJsonLine } from './terminalText';
import { CommandTimeZone } from './timeZone';
import { readVersion } from './version';

const abortController = new AbortController();
const outputClosed = new AbortController();

function openTerminal({ json, timeout, timeZone }: GlobalOptions): Terminal {
  return {
    ...createOutput({ out: process.stdout, err: process.stderr }, json ? 'json' : 'words', new CommandTimeZone(timeZone)),
    timeoutMs: timeout * 1_000,
    signal: abortController.signal,
    outputClosed: outputClosed.signal,
  };
}

const openContexts: OpenContexts = {
  choosesKey: () => choosesKey(process.env),
  operator: (options, missing) => {
    const terminal = openTerminal(options);
    return { ...terminal, api: platformApi(findConnection(process.env, process.cwd(), missing), { ...terminal, actor: options.actor }) };
  },
  integrator: (options, preferences) => {
    if (options.actor !== undefined) throw usageError('--actor is for operators: a key acts as itself.');
    const terminal = openTerminal(options);
    const connection = findKeyConnection(process.env, process.cwd(), preferences);
    if (connection.isLocalTestKey) terminal.note('Uses test_key of .local/connection.json: listen and events see what happens with the same key as API_KEY, with BASE_URL.');
    return { ...terminal, api: new PublicApi(createCall(connection, terminal), connection.url, isTestKey(connection.token)) };
  },
  local: (options) => ({ ...openTerminal(options), environment: process.env, folder: process.cwd() }),
};

/** Writes the error of a command to standard error, with --json as one line of JSON, and returns its exit code. */
function reportError(error: unknown): number {
  // Help and version are already written.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  const cliError = error instanceof CliError || error instanceof InterruptedError ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  // A wrong option may have ended the reading of the others, so the words themselves are asked.
  if (process.argv.includes('--json')) process.stderr.write(formatJsonLine(cliError?.envelope() ?? errorEnvelope('failed', message)));
  else for (const line of cliError?.lines() ?? [`failed: ${message}`]) process.stderr.write(`${escapeControlCharacters(line)}\n`);
  return cliError?.exitCode ?? exitCodes.refused;
}

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second signal ends the process immediately.
    process.once(signal, () => abortController.abort(new InterruptedError(signal)));
  }
  // A reader such as head may close the pipe early: that ends the output only, and the exit code stays the command's. A command
  // that does nothing but follow ends then.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (stream === process.stdout) outputClosed.abort();
    });
  }
  await createProgram(readVersion(), openContexts).parseAsync();
}

main().catch((error: unknown) => {
  process.exitCode = reportError(error);
});
