import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '../..');

/** One row of docs/contract/statements.tsv: what a line of the specification, or a part of it, promises. */
export interface Statement {
  /** What it promises, in the words of the field: `students.bulk.partial-failure`. Marks above tests use this name. */
  name: string;
  /** `statement`, `open: <what is still to be built>`, or why it promises nothing. */
  kind: string;
  /** Quoted from its line, word by word. */
  text: string;
  /** Whether it quotes the same line as the row before. */
  continues: boolean;
}

/** Why a line, or a part of it, promises nothing. What is `left open` is decided in docs/decisions. */
export const nonNormativeKinds = ['introduction', 'definition', 'left open'];

/** The form of a name: two to four parts, each in kebab case. */
export const nameForm = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*){1,3}$/;

const continued = '… ';

/** Returns the statement that one row of the list describes. */
export function parseRow(row: string): Statement {
  const [name = '', kind = '', text = ''] = row.split('\t');
  const continues = text.startsWith(continued);
  return { name, kind, text: continues ? text.slice(continued.length) : text, continues };
}

/** The lines of the specification. */
export const specification: readonly string[] = readFileSync(join(root, 'docs/specification.md'), 'utf8').split('\n');

/** Every row of the list, in its order. */
export const statements: readonly Statement[] = readFileSync(join(root, 'docs/contract/statements.tsv'), 'utf8').trimEnd().split('\n').slice(1).map(parseRow);

/** Whether a statement promises what is still to be built. */
export const isOpen = ({ kind }: Statement): boolean => kind.startsWith('open: ');

/** Whether it must have a proof. */
export const isNormative = ({ kind }: Statement): boolean => kind === 'statement';

/** Whether a mark stands for a statement: by its name, or by `<section>.*` for all names that begin so. */
export function standsFor(mark: string, { name }: Statement): boolean {
  return mark.endsWith('.*') ? name.startsWith(mark.slice(0, -1)) : name === mark;
}
