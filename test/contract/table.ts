import type { Proof } from './markers';
import { isNormative, isOpen, standsFor, type Statement } from './statements';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** A piece of a table row is shown as it stands in the specification, without the bars around it. */
const quoted = (text: string): string => cell(text.replace(/^\| | \|$/g, ''));

function rowsOf(statement: Statement, proofs: readonly Proof[]): string[] {
  const own = proofs.filter(({ mark }) => standsFor(mark, statement)).sort((one, other) => (one.file + one.test < other.file + other.test ? -1 : 1));
  return own.map(({ test, file }, index) => `| \`${statement.name}\` | ${index === 0 ? quoted(statement.text) : ''} | ${cell(test)} | [${file.replace(/^test\//, '')}](../${file}) |`);
}

/** Returns the whole of docs/contract.md. */
export function contractTable(statements: readonly Statement[], proofs: readonly Proof[]): string {
  const open = statements.filter(isOpen);
  return [
    '# The contract and its proof',
    '',
    'Every statement of the [specification](specification.md) and the tests that prove it: each test fails where the service breaks the statement. `npm run contract` writes this page from [the list of statements](contract/statements.tsv) and from the comments `// Contract: <names>` above tests. It is not committed.',
    '',
    '| Statement | Says | Test | File |',
    '|---|---|---|---|',
    ...statements.filter(isNormative).flatMap((statement) => rowsOf(statement, proofs)),
    ...(open.length === 0 ? [] : ['', '## Still to be built', '', '| Statement | Says | Waits for |', '|---|---|---|']),
    ...open.map(({ name, text, kind }) => `| \`${name}\` | ${quoted(text)} | ${kind.replace('open: ', '')} |`),
    '',
  ].join('\n');
}
