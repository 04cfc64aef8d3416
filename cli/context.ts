import type { PlatformApi } from './platformApi';
import { path } from './platformApi';
import { progressBar, type ProgressBar, type Screen } from './progressBar';
import { jsonOnScreen, onScreen } from './terminalText';
import { textOf } from './fields';

/** What a command works with. */
export interface Desk {
  api: PlatformApi;
  /** Answers a command, once: as one JSON document for machines, or as words for people. */
  answer(value: unknown, forPeople: () => string): void;
  /** Says something beside the answer, on standard error. */
  note(line: string): void;
  progress(what: string): ProgressBar;
  /** How long the service may be silent, in ms. */
  timeoutMs: number;
  /** Ends when the command is to end. */
  signal: AbortSignal;
}

/** Opens the desk with the options of the command line: when a command runs, not before. */
export type OpenDesk = () => Desk;

/** Where a desk writes. */
export interface Streams {
  out: Screen;
  err: Screen;
}

/** How a desk answers: see Desk. */
export function writing({ out, err }: Streams, form: 'json' | 'words'): Pick<Desk, 'answer' | 'note' | 'progress'> {
  return {
    answer: (value, forPeople) => out.write(form === 'json' ? jsonOnScreen(value) : forPeople()),
    note: (line) => err.write(`${onScreen(line)}\n`),
    progress: (what) => progressBar(err, what),
  };
}

/** The institution of a thing that is named by its id alone; the platform knows it, whoever acts. */
export async function ownerOf({ api }: Desk, id: string): Promise<string> {
  return textOf(await api.call('GET', path`/owners/${id}`, { asPlatform: true }), 'institution_id');
}
