import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '../..');

/** One row of docs/contract/statements.tsv: what a line of the specification, or a part of it, promises. */
export interface Statement {
  /** The number of the line, and a letter where it promises several things. */
  id: string;
  line: number;
  /** `statement`, `open: <what is still to be built>`, or why the line promises nothing. */
  kind: string;
  /** Quoted from the line, word by word. */
  text: string;
}

/** Why a line, or a part of it, promises nothing. What is `left open` is decided in docs/decisions. */
export const nonNormativeKinds = ['heading', 'table head', 'table ruling', 'introduction', 'definition', 'left open'];

/** The lines of the specification; the first is number 1 and stands at index 0. */
export const specification: readonly string[] = readFileSync(join(root, 'docs/specification.md'), 'utf8').split('\n');

function readRow(row: string): Statement {
  const [id = '', kind = '', text = ''] = row.split('\t');
  return { id, line: Number.parseInt(id, 10), kind, text };
}

/** Every row of the data file, in its order. */
export const statements: readonly Statement[] = readFileSync(join(root, 'docs/contract/statements.tsv'), 'utf8').trimEnd().split('\n').slice(1).map(readRow);

/** Whether a statement promises what is still to be built. */
export const isOpen = ({ kind }: Statement): boolean => kind.startsWith('open: ');

/** Whether it must have a proof. */
export const isNormative = ({ kind }: Statement): boolean => kind === 'statement';
