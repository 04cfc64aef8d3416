import type { PlatformApi } from './platformApi';
import { path } from './call';
import { progressBar, type ProgressBar, type TerminalStream } from './progressBar';
import type { PublicApi } from './publicApi';
import { formatJson, formatJsonLine, escapeControlCharacters } from './terminalText';
import { getString } from './fields';
import { CommandTimeZone } from './timeZone';

/** What every command works with. */
export interface Terminal {
  /** Writes the output of a command, once: as one JSON document, or as text for people, made of the value with its times in the time zone of the command. */
  print(value: unknown, forPeople: (shown: unknown) => string): void;
  /** Writes one of many: as a line of JSON, or as lines for people. */
  printLine(value: unknown, forPeople: () => string): void;
  /** Writes a line to standard error. */
  note(line: string): void;
  progress(what: string): ProgressBar;
  /** How many characters a line of standard output has; undefined where it is no terminal. */
  width: number | undefined;
  timeZone: CommandTimeZone;
  /** How long the service may take to respond, in ms. */
  timeoutMs: number;
  /** Aborts when the command is to end. */
  signal: AbortSignal;
  /** Aborts when the reader of standard output is gone. */
  outputClosed: AbortSignal;
}

/** What a command works with that calls an API by paths: the platform's, or the public one. */
export interface ApiContext extends Terminal {
  api: Pick<PlatformApi, 'call'>;
}

/** What a command of operators works with. */
export interface CliContext extends ApiContext {
  api: PlatformApi;
}

/** What a command of integrators works with. */
export interface KeyContext extends Terminal {
  api: PublicApi;
}

/** What a command of both works with: the platform API if `key` is undefined, otherwise the public API by this key. */
export type EitherContext = (CliContext & { key?: undefined }) | (ApiContext & { key: KeyContext });

/** Which key a command takes where the environment has none. */
export interface KeyPreferences {
  /** The test key of the local stack, in place of its live one. */
  prefersTestKey?: boolean;
}

/** What a command works with that calls no API. */
export interface LocalContext extends Terminal {
  environment: NodeJS.ProcessEnv;
  /** The folder that the command runs in. */
  folder: string;
}

/** Creates the context from the options of the command line, when a command runs. */
export type OpenCliContext = () => CliContext;
export type OpenKeyContext = (preferences?: KeyPreferences) => Promise<KeyContext>;
export type OpenEitherContext = () => EitherContext;
export type OpenLocalContext = () => LocalContext;

/** The streams that a command writes to. */
export interface Streams {
  out: TerminalStream;
  err: TerminalStream;
}

/** Returns the output functions of a CliContext. */
export function createOutput({ out, err }: Streams, format: 'json' | 'words', timeZone = new CommandTimeZone('UTC')): Pick<Terminal, 'print' | 'printLine' | 'note' | 'progress' | 'width' | 'timeZone'> {
  return {
    width: out.isTTY === true ? out.columns : undefined,
    timeZone,
    print: (value, formatText) => out.write(format === 'json' ? formatJson(value) : formatText(timeZone.showAll(value))),
    printLine: (value, formatText) => out.write(format === 'json' ? formatJsonLine(value) : formatText()),
    note: (line) => err.write(`${escapeControlCharacters(line)}\n`),
    progress: (what) => progressBar(err, what),
  };
}

/** Shows times in the time zone of an institution from now on, if the command was given `--time-zone school`. */
export async function useTimeZoneOf({ api, timeZone }: CliContext, institutionId: string): Promise<void> {
  await timeZone.useInstitution(async () => getString(await api.call('GET', path`/institutions/${institutionId}`, { asPlatform: true }), 'time_zone'));
}

/** The same by the time zone of the institution that the key is of. */
export async function useTimeZoneOfKey({ api, timeZone }: KeyContext): Promise<void> {
  await timeZone.useInstitution(async () => (await api.call('GET', '/institution')).time_zone);
}

/** Returns the context of a command of both that calls the public API by its key. */
export const byKey = (key: KeyContext): EitherContext => ({ ...key, api: { call: (method, path, sent) => key.api.callPath(method, path, sent) }, key });

/** Returns the institution that owns an id. It asks as the platform, also with `--actor`. */
export async function findInstitutionId(context: CliContext, id: string): Promise<string> {
  const institutionId = getString(await context.api.call('GET', path`/owners/${id}`, { asPlatform: true }), 'institution_id');
  await useTimeZoneOf(context, institutionId);
  return institutionId;
}
