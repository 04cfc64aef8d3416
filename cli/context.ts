import type { PlatformApi } from './platformApi';
import { path } from './call';
import { progressBar, type ProgressBar, type TerminalStream } from './progressBar';
import type { PublicApi } from './publicApi';
import { formatJson, formatJsonLine, escapeControlCharacters } from './terminalText';
import { getString } from './fields';

/** What every command works with. */
export interface Terminal {
  /** Writes the output of a command, once: as one JSON document, or as text for people. */
  print(value: unknown, forPeople: () => string): void;
  /** Writes one of many: as a line of JSON, or as lines for people. */
  printLine(value: unknown, forPeople: () => string): void;
  /** Writes a line to standard error. */
  note(line: string): void;
  progress(what: string): ProgressBar;
  /** How long the service may take to respond, in ms. */
  timeoutMs: number;
  /** Aborts when the command is to end. */
  signal: AbortSignal;
}

/** What a command of operators works with. */
export interface CliContext extends Terminal {
  api: PlatformApi;
}

/** What a command of integrators works with. */
export interface KeyContext extends Terminal {
  api: PublicApi;
}

/** What a command works with that calls no API. */
export interface LocalContext extends Terminal {
  environment: NodeJS.ProcessEnv;
  /** The folder that the command runs in. */
  folder: string;
}

/** Creates the context from the options of the command line, when a command runs. */
export type OpenCliContext = () => CliContext;
export type OpenKeyContext = () => KeyContext;
export type OpenLocalContext = () => LocalContext;

/** The streams that a command writes to. */
export interface Streams {
  out: TerminalStream;
  err: TerminalStream;
}

/** Returns the output functions of a CliContext. */
export function createOutput({ out, err }: Streams, format: 'json' | 'words'): Pick<Terminal, 'print' | 'printLine' | 'note' | 'progress'> {
  return {
    print: (value, formatText) => out.write(format === 'json' ? formatJson(value) : formatText()),
    printLine: (value, formatText) => out.write(format === 'json' ? formatJsonLine(value) : formatText()),
    note: (line) => err.write(`${escapeControlCharacters(line)}\n`),
    progress: (what) => progressBar(err, what),
  };
}

/** Returns the institution that owns an id. It asks as the platform, also with `--actor`. */
export async function findInstitutionId({ api }: CliContext, id: string): Promise<string> {
  return getString(await api.call('GET', path`/owners/${id}`, { asPlatform: true }), 'institution_id');
}
