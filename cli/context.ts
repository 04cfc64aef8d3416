import type { PlatformApi } from './platformApi';
import { path } from './platformApi';
import { progressBar, type ProgressBar, type TerminalStream } from './progressBar';
import { formatJson, escapeControlCharacters } from './terminalText';
import { getString } from './fields';

/** What a command works with. */
export interface CliContext {
  api: PlatformApi;
  /** Answers a command, once: as one JSON document for machines, or as words for people. */
  print(value: unknown, forPeople: () => string): void;
  /** Says something beside the answer, on standard error. */
  note(line: string): void;
  progress(what: string): ProgressBar;
  /** How long the service may be silent, in ms. */
  timeoutMs: number;
  /** Ends when the command is to end. */
  signal: AbortSignal;
}

/** Opens the desk with the options of the command line: when a command runs, not before. */
export type OpenCliContext = () => CliContext;

/** Where a desk writes. */
export interface Streams {
  out: TerminalStream;
  err: TerminalStream;
}

/** How a desk answers: see Desk. */
export function createOutput({ out, err }: Streams, format: 'json' | 'words'): Pick<CliContext, 'print' | 'note' | 'progress'> {
  return {
    print: (value, formatText) => out.write(format === 'json' ? formatJson(value) : formatText()),
    note: (line) => err.write(`${escapeControlCharacters(line)}\n`),
    progress: (what) => progressBar(err, what),
  };
}

/** The institution of a thing that is named by its id alone; the platform knows it, whoever acts. */
export async function findInstitutionId({ api }: CliContext, id: string): Promise<string> {
  return getString(await api.call('GET', path`/owners/${id}`, { asPlatform: true }), 'institution_id');
}
