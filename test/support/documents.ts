import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const root = join(__dirname, '../..');

/** Every document, by its path from the project's root. */
export const documents: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'clients/typescript/README.md',
  'clients/python/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];

/** The text of a document, by its path from the project's root. */
export const readDocument = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The part of a document below a heading, up to the next one of the same level. */
export function section(document: string, heading: string): string {
  const [marks = ''] = /^#+/.exec(heading) ?? [];
  const [, rest] = readDocument(document).split(`\n${heading}\n`);
  if (rest === undefined) throw new Error(`${document} has no heading ${heading}`);
  return rest.split(`\n${marks} `)[0] ?? '';
}

/** The cells of every table row whose first cell is one piece of code alone, without its backticks. */
export function codeRows(markdown: string): string[][] {
  return [...markdown.matchAll(/^\| `([^`|]+)` \|(.*)\|$/gm)].map(([, first = '', rest = '']) => [first, ...rest.split('|').map((cell) => cell.trim())]);
}

/** The code block that a document opens with "```<language> <name>". */
export function codeBlock(document: string, name: string): string {
  const found = new RegExp(`^\`\`\`\\w+ ${name.replaceAll('.', '\\.')}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readDocument(document));
  if (found?.[1] === undefined) throw new Error(`${document} has no code block ${name}`);
  return found[1];
}

/** A block of code that a document opens with a language: "```<language>", and the name of a file where it has one. */
export interface CodeBlock {
  document: string;
  language: string;
  name: string;
  code: string;
}

/** Every block of code of a document; those without a language have an empty one. */
export function codeBlocks(document: string): CodeBlock[] {
  const found = readDocument(document).matchAll(/^```(\w*)(?: ([\w.-]+))?\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language = '', name = '', code = '']) => ({ document, language, name, code }));
}

/** A folder of programs, as a reader of the documents would write them down. */
export interface ProgramFolder {
  /** Their folder. */
  folder: string;
  /** Starts a program of the folder, `*.js` with Node, `*.py` with Python, `*.sh` with bash. */
  start(name: string, environment?: Record<string, string>, args?: readonly string[]): ChildProcessWithoutNullStreams;
  /** Runs one to its end and returns what it wrote; throws with its error output if it fails. */
  run(name: string, given?: { args?: readonly string[]; input?: string; environment?: Record<string, string> }): Promise<string>;
  write(name: string, content: string): void;
  remove(): void;
}

const interpreters: Record<string, string> = { js: process.execPath, py: 'python3', sh: 'bash' };

function interpreterOf(name: string): string {
  const interpreter = interpreters[name.split('.').at(-1) ?? ''];
  if (interpreter === undefined) throw new Error(`Nothing here runs ${name}`);
  return interpreter;
}

/** Writes code blocks of a document into a new folder, TypeScript compiled. */
export function writePrograms(document: string, names: readonly string[]): ProgramFolder {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  for (const name of names) {
    const code = codeBlock(document, name);
    if (name.endsWith('.ts')) write(name.replace(/ts$/, 'js'), compileTypeScript(code));
    else write(name, code);
  }
  const start: ProgramFolder['start'] = (name, environment = {}, args = []) =>
    spawn(interpreterOf(name), [name, ...args], { cwd: folder, env: { ...process.env, ...environment } });
  return {
    folder,
    start,
    write,
    run: async (name, { args = [], input = '', environment = {} } = {}) => {
      const program = start(name, environment, args);
      program.stdin.end(input);
      const ended = new Promise<number | null>((resolve, reject) => program.once('close', resolve).once('error', reject));
      const [output, errorOutput, code] = await Promise.all([text(program.stdout), text(program.stderr), ended]);
      if (code !== 0) throw new Error(`${name} ended with ${code}: ${errorOutput}${output}`);
      return output;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What Node runs of a document's TypeScript. */
export function compileTypeScript(code: string): string {
  const { outputText, diagnostics = [] } = transpileModule(code, { reportDiagnostics: true, compilerOptions: { module: ModuleKind.CommonJS, esModuleInterop: true, target: ScriptTarget.ES2022 } });
  if (diagnostics.length > 0) throw new Error(`The TypeScript does not compile: ${JSON.stringify(diagnostics.map(({ messageText }) => messageText))}`);
  return outputText;
}

/** Fails, and says why, where there is no Python 3.10 to run the documents' Python with. */
export function requirePython(): void {
  const { status, error } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
  if (error !== undefined) throw new Error(`The documents' Python cannot be run: there is no python3 on PATH (${error.message})`);
  if (status !== 0) throw new Error("The documents' Python cannot be run: python3 is older than 3.10");
}
