import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ConnectionFile } from '../../local/connection';
import type { ClientProject } from './clientPackage';
import { codeBlock, compileTypeScript } from './documents';
import type { PythonProject } from './pythonClient';

/** A program that a document shows, by the name after its language. */
export interface Script {
  document: string;
  name: string;
}

/** How a script ended, and what it wrote. */
export interface ScriptResult {
  code: number | null;
  output: string;
  errorOutput: string;
}

/** What differs in the reader's terminal. */
export interface ScriptTerminal {
  /** A variable of the connection that is not set. */
  without?: string;
}

/** What the reader of a document has: a folder with the connection of a running stack, and a terminal. */
export interface ScriptRunner {
  /** Pastes a script into the terminal, or saves and runs it where it is no shell script. */
  run(script: Script, terminal?: ScriptTerminal): Promise<ScriptResult>;
  remove(): void;
}

/** What a reader gets besides the documents. */
export interface ScriptRunnerOptions {
  connection: Pick<ConnectionFile, 'base_url' | 'api_key' | 'platform_url' | 'platform_token' | 'institution_id'>;
  environment: Record<string, string>;
  /** Texts of the scripts and their replacements: ports that are free here. */
  replaced: readonly (readonly [what: string, by: string])[];
  /** May still be on its way to be installed: only programs in TypeScript wait for it. */
  client: Promise<ClientProject>;
  /** Likewise: only programs that import the Python client have it, and wait for it. */
  pythonClient: Promise<PythonProject>;
}

/** The shell as it is before the quickstart: its first lines name the running stack. */
const connectionScript = (): string => codeBlock('docs/quickstart.md', 'connection.sh');

/** Writes down what the reader has; scripts that are no shell scripts are saved with the first run. */
export function createScriptRunner({ connection, environment, replaced, client, pythonClient }: ScriptRunnerOptions): ScriptRunner {
  const folder = mkdtempSync(join(tmpdir(), 'reader-'));
  const save = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  const withReplacements = (code: string): string => replaced.reduce((changed, [what, by]) => changed.replaceAll(what, by), code);
  mkdirSync(join(folder, '.local'));
  save('.local/connection.json', JSON.stringify(connection));
  save('hidden.zip', 'tests that nobody sees');
  const clientLinked = client.then((installed) => installed.linkInto(folder));
  // Reported by the scripts that wait for it.
  clientLinked.catch(() => undefined);
  pythonClient.catch(() => undefined);

  /** What is typed for a script. */
  const commandFor = ({ document, name }: Script): string => {
    const code = withReplacements(codeBlock(document, name));
    if (name.endsWith('.sh')) return code;
    const saved = name.replace(/ts$/, 'js');
    save(saved, name.endsWith('.ts') ? compileTypeScript(code) : code);
    return `${name.endsWith('.py') ? 'python3' : `'${process.execPath}'`} ${saved}\n`;
  };

  /** What a program needs besides the terminal, once it is installed. */
  const environmentFor = async ({ document, name }: Script): Promise<Record<string, string>> => {
    if (name.endsWith('.ts')) await clientLinked;
    const usesPythonClient = name.endsWith('.py') && /^from institution import /m.test(codeBlock(document, name));
    return usesPythonClient ? (await pythonClient).environment : {};
  };

  return {
    run: async (script, { without } = {}) => {
      const installed = await environmentFor(script);
      const shell = spawn('bash', ['--norc'], { cwd: folder, env: { ...process.env, HIDDEN_ZIP: 'hidden.zip', ...environment, ...installed } });
      shell.stdin.end(`${withReplacements(connectionScript())}${without === undefined ? '' : `unset ${without}\n`}${commandFor(script)}`);
      const ended = new Promise<number | null>((resolve, reject) => shell.once('close', resolve).once('error', reject));
      const [output, errorOutput, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
      return { code, output, errorOutput };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
