import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { OpenContexts } from '../../cli/program';
import { projectRoot } from '../../local/projectRoot';

const opensNothing = (): never => {
  throw new Error('This command opens nothing');
};

/** For a program whose commands do not run. */
export const openNothing = { choosesKey: () => false, operator: opensNothing, integrator: opensNothing, local: opensNothing } satisfies OpenContexts;

/** What a command came to. */
export interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

/** A command that runs. */
export interface RunningCommand {
  process: ChildProcess;
  /** Resolves when it has ended. */
  ended: Promise<CommandResult>;
}

/** The command line, as a process of its own, with one environment. */
export interface CommandLine {
  start(...args: string[]): RunningCommand;
  run(...args: string[]): Promise<CommandResult>;
  /** Runs one with --json that must succeed; returns its document, which must be all that it wrote there. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test names the fields it expects
  json(...args: string[]): Promise<any>;
  /** Runs one that must succeed; returns what people see. */
  text(...args: string[]): Promise<string>;
}

/** Says what went wrong where a command did not succeed. */
function requireSuccess(args: readonly string[], { code, out, err }: CommandResult): string {
  if (code !== 0) throw new Error(`institution ${args.join(' ')} ended with ${code}: ${err}${out}`);
  return out;
}

/** The command line with only PATH of this process's environment. Its output never contains the token. */
export function commandLine(environment: Record<string, string>, folder = projectRoot()): CommandLine {
  const root = projectRoot();
  const start = (...args: string[]): RunningCommand => {
    const child = spawn(process.execPath, ['--require', join(root, 'test/support/fromSource.js'), join(root, 'cli/main.ts'), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...environment },
      stdio: 'pipe',
    });
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(([out, err]) => {
      const { PLATFORM_TOKEN: token } = environment;
      if (token !== undefined && (out + err).includes(token)) throw new Error(`institution ${args.join(' ')} wrote the token`);
      return { code: child.exitCode, out, err };
    });
    return { process: child, ended };
  };
  const run = (...args: string[]): Promise<CommandResult> => start(...args).ended;
  return {
    start,
    run,
    json: async (...args) => JSON.parse(requireSuccess(args, await run(...args, '--json'))),
    text: async (...args) => requireSuccess(args, await run(...args)),
  };
}

/** The cells of a table, row by row, the names of its columns first; cells must hold no two blanks in a row. */
export const parseTable = (words: string): string[][] => words.trimEnd().split('\n').map((line) => line.trim().split(/ {2,}/));

/** Returns the fields of a card. */
export const parseCard = (words: string): Record<string, string> =>
  Object.fromEntries(parseTable(words.split('\n\n')[0] ?? '').map(([name = '', value = '']) => [name, value]));
