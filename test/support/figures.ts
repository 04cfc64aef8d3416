import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { ModuleKind, transpileModule } from 'typescript';

const root = join(__dirname, '../..');
const known = new Map<string, object>();

/** What the tables name and the code does not have any more. */
export const missing: string[] = [];

function readSource(file: string): string {
  const path = join(root, file);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  missing.push(`${file} is not there`);
  return '';
}

/** The constants of a source file that are made of figures alone, by their names: those that are not exported too. */
function constantsOf(file: string): object {
  const found = known.get(file);
  if (found !== undefined) return found;
  const source = readSource(file);
  const { outputText } = transpileModule(source, { compilerOptions: { module: ModuleKind.ESNext } });
  const context = createContext({});
  for (const [, name = '', value = ''] of outputText.matchAll(/^(?:export )?const (\w+) = (.+|\{[\s\S]*?^\}|\[[\s\S]*?^\]);$/gm)) {
    try {
      runInContext(`globalThis.${name} = ${value}`, context);
    } catch {
      // Made of more than figures, or of constants of other files.
    }
  }
  known.set(file, context);
  return context;
}

const partOf = (whole: unknown, key: string): unknown => (typeof whole === 'object' && whole !== null ? Object.entries(whole).find(([name]) => name === key)?.[1] : undefined);

/** The figure under a path of names in a source file, `maxKeys` or `bounds.text.max`; NaN, and a line in `missing`, where there is none. */
export function figure(file: string, path: string): number {
  const [first = '', ...rest] = path.split('.');
  const found = rest.reduce<unknown>(partOf, Object.getOwnPropertyDescriptor(constantsOf(file), first)?.value);
  if (typeof found === 'string' && durations.test(found)) return durationOf(found);
  if (typeof found === 'number') return found;
  missing.push(`${file} has no figure ${path}`);
  return Number.NaN;
}

/** How many characters the text under a name in a source file has. */
export function lengthOf(file: string, name: string): number {
  const found: unknown = Object.getOwnPropertyDescriptor(constantsOf(file), name)?.value;
  if (typeof found === 'string') return found.length;
  missing.push(`${file} has no text ${name}`);
  return Number.NaN;
}

/** What the groups of a pattern catch in a file: a figure in an expression, a version. */
export function textsIn(file: string, pattern: RegExp): string[] {
  const found = pattern.exec(readSource(file));
  if (found !== null) return found.slice(1);
  missing.push(`${file} has nothing like ${String(pattern)}`);
  return [];
}

/** The same, as numbers. */
export const figuresIn = (file: string, pattern: RegExp): number[] => textsIn(file, pattern).map((text) => Number(text.replaceAll('_', '')));

const unitMs: Record<string, number> = { ms: 1, second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const durations = /^(\d+) (ms|second|minute|hour|day)s?$/;

/** A duration as Temporal takes it, `2 days`, in ms. */
function durationOf(text: string): number {
  const [, count, unit = ''] = durations.exec(text) ?? [];
  return Number(count) * (unitMs[unit] ?? Number.NaN);
}

/** A number as documents write it. */
const formatNumber = (value: number): string => value.toLocaleString('en');

const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** A small whole number as a word. */
export function numberWord(value: number | string): string {
  const found = words[Number(value)];
  return found ?? `no word for ${value}`;
}

export const count = formatNumber;
export const seconds = (ms: number): string => formatNumber(ms / 1_000);
export const minutes = (ms: number): string => formatNumber(ms / 60_000);
export const hours = (ms: number): string => formatNumber(ms / 3_600_000);
export const days = (ms: number): string => formatNumber(ms / 86_400_000);
export const kib = (bytes: number): string => formatNumber(bytes / 1_024);
export const mib = (bytes: number): string => formatNumber(bytes / 1_048_576);

const statusCode = /^(200|20[14]|4\d\d|50[0-4])$/;

/** What follows a figure that is no status code, though it could be one. */
const counted = /^ (days|at most|students|concepts|unless|without|characters|curricula|in a|of an)\b|^\)/;

/** A number in digits, a time of day, or a word that counts something that code may hold. */
const anyFigure = new RegExp(
  [
    /(?<![\w.:#/–-])-?\d[\d,]*(?:\.\d+)?(?![\w:/]|-\d)/,
    /\b\d\d:\d\d(?= UTC)/,
    new RegExp(`\\b(?:${words.slice(2).join('|')})(?= (?:seconds|minutes|hours|days|weeks|months|years|seats|emails|tries|times|wrong|at a time)\\b)`),
  ].map(({ source }) => source).join('|'),
  'gi',
);

/** Every figure of a document's prose, with its place: none of code, of names of tests, of steps and headings, and no status code. */
export function figuresOf(markdown: string): { at: number; figure: string }[] {
  const blank = (found: string): string => found.replace(/[^\n]/g, ' ');
  const prose = markdown
    .replace(/^```[\s\S]*?^```$/gm, blank)
    .replace(/^\| `test\/.*$/gm, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/\]\([^)]*\)/g, blank)
    .replace(/^(#+ )?\d+\. /gm, blank);
  return [...prose.matchAll(anyFigure)]
    .map((found) => ({ at: found.index, figure: found[0].replace(/,$/, ''), after: prose.slice(found.index + found[0].length) }))
    .filter(({ figure: text, after }) => !statusCode.test(text) || counted.test(after))
    .map(({ at, figure: text }) => ({ at, figure: text }));
}
