import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markersOf, readMarkers } from './markers';
import { isNormative, isOpen, nonNormativeKinds, root, specification, statements } from './statements';
import { contractTable } from './table';

const { proofs, misplaced } = readMarkers();
const proven = new Set(proofs.map(({ id }) => id));

describe('the list of statements', () => {
  it('has every line of the specification that is not blank, in order, each id once', () => {
    const written = specification.flatMap((line, index) => (line.trim() === '' ? [] : [index + 1]));
    expect([...new Set(statements.map(({ line }) => line))]).toEqual(written);
    const lettersOf = (line: number): string => statements.filter((one) => one.line === line).map(({ id }) => id.replace(String(line), '')).join('');
    expect(written.map(lettersOf).filter((letters) => !['', 'a'].includes(letters) && !'abcdefghijklm'.startsWith(letters))).toEqual([]);
    expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length);
  });

  it('quotes each line as it stands', () => {
    expect(statements.filter(({ line, text }) => text === '' || specification[line - 1]?.includes(text) !== true)).toEqual([]);
  });

  it('says of each whether it is held, waits for something, or promises nothing and why', () => {
    expect(statements.filter((one) => !isNormative(one) && !/^open: [a-z]+$/.test(one.kind) && !nonNormativeKinds.includes(one.kind))).toEqual([]);
  });

  it('takes as promising nothing only what looks so', () => {
    const shapes: Record<string, RegExp> = { heading: /^#+ /, 'table ruling': /^\|[-|]+\|$/, 'table head': /^\|/, 'left open': /not shown/ };
    const unlike = statements.filter(({ kind, line }) => shapes[kind]?.test(specification[line - 1] ?? '') === false);
    const heads = statements.filter(({ kind, line }) => kind === 'table head' && !/^\|[-|]+\|$/.test(specification[line] ?? ''));
    expect([...unlike, ...heads]).toEqual([]);
  });
});

describe('the markers', () => {
  it('stand right above a test or a block of tests', () => {
    expect(misplaced).toEqual([]);
  });

  it('name statements of the list', () => {
    const known = new Set(statements.filter((one) => isNormative(one) || isOpen(one)).map(({ id }) => id));
    expect(proofs.filter(({ id }) => !known.has(id))).toEqual([]);
  });

  it('are found above each form of a test, and missed above anything else', () => {
    const text = [
      "// Contract: 1, 2a", "describe.each([1])('block %i', () => {", '  // Why.', '  // Contract: 3', "  it('plain', () => {});", "  it('unmarked', () => {});",
      '});', '// Contract: 4', "it.each([1])(`of ${row}`, () => {});", '// Contract: 5', 'const x = 1;',
    ].join('\n');
    expect(markersOf('a.test.ts', text)).toEqual({
      proofs: [
        { id: '1', test: 'block %i', file: 'a.test.ts' },
        { id: '2a', test: 'block %i', file: 'a.test.ts' },
        { id: '3', test: 'block %i › plain', file: 'a.test.ts' },
        { id: '4', test: 'of ${row}', file: 'a.test.ts' },
      ],
      misplaced: ['a.test.ts: 5'],
    });
  });
});

describe('every statement', () => {
  it('has a proof, or waits for what is still to be built', () => {
    expect(statements.filter((one) => isNormative(one) && !proven.has(one.id)).map(({ id, text }) => `${id} ${text}`)).toEqual([]);
  });

  it('that waits has no proof yet', () => {
    expect(statements.filter((one) => isOpen(one) && proven.has(one.id)).map(({ id }) => id)).toEqual([]);
  });
});

it('docs/contract.md is what `npm run contract` writes', () => {
  expect(readFileSync(join(root, 'docs/contract.md'), 'utf8')).toBe(contractTable(statements, proofs));
});
