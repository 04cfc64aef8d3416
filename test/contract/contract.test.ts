import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { matchLines } from './lines';
import { markersOf, readMarkers } from './markers';
import { isNormative, isOpen, nameForm, parseRow, nonNormativeKinds, root, specification, standsFor, statements } from './statements';
import { contractTable } from './table';
import { readDocument } from '../support/documents';

const { proofs, misplaced } = readMarkers();
const isProven = (statement: (typeof statements)[number]): boolean => proofs.some(({ mark }) => standsFor(mark, statement));

describe('the list of statements', () => {
  it('names each once, in two to four parts, within 60 characters', () => {
    expect(statements.filter(({ name }) => !nameForm.test(name) || name.length > 60)).toEqual([]);
    expect(new Set(statements.map(({ name }) => name)).size).toBe(statements.length);
  });

  it('says of each whether it is held, waits for something, or promises nothing and why', () => {
    expect(statements.filter((one) => !isNormative(one) && !/^open: [a-z]+$/.test(one.kind) && !nonNormativeKinds.includes(one.kind))).toEqual([]);
  });

  it('takes as left open only what the specification says it does not show', () => {
    const { lineOf } = matchLines(specification, statements);
    expect(statements.filter(({ kind, name }) => kind === 'left open' && lineOf.get(name)?.includes('not shown') !== true)).toEqual([]);
  });
});

describe('the marks above tests', () => {
  it('stand right above a test or a block of tests', () => {
    expect(misplaced).toEqual([]);
  });

  it('name statements of the list', () => {
    const promises = statements.filter((one) => isNormative(one) || isOpen(one));
    expect(proofs.filter(({ mark }) => !promises.some((statement) => standsFor(mark, statement)))).toEqual([]);
  });

  it('name one statement each; only the tests that read the tables of endpoints stand for all of them', () => {
    expect(proofs.filter(({ mark }) => mark.includes('*')).map(({ mark, file }) => [mark, file])).toEqual([['endpoints.*', 'test/contract/endpoints.test.ts']]);
  });

  it('are found above each form of a test, and missed above anything else', () => {
    const text = [
      "// Contract: a.one, a.two", "describe.each([1])('block %i', () => {", '  // Why.', '  // Contract: b.three', "  it('plain', () => {});", "  it('unmarked', () => {});",
      '});', '// Contract: b.*', "it.each([1])(`of ${row}`, () => {});", '// Contract: c.five', 'const x = 1;',
    ].join('\n');
    expect(markersOf('a.test.ts', text)).toEqual({
      proofs: [
        { mark: 'a.one', test: 'block %i', file: 'a.test.ts' },
        { mark: 'a.two', test: 'block %i', file: 'a.test.ts' },
        { mark: 'b.three', test: 'block %i › plain', file: 'a.test.ts' },
        { mark: 'b.*', test: 'of ${row}', file: 'a.test.ts' },
      ],
      misplaced: ['a.test.ts: c.five'],
    });
  });

  it('stand for a name as a whole', () => {
    const named = (name: string) => parseRow(`${name}\tstatement\ttext`);
    const marks = ['events.polling', 'events.polling.since', 'events.*', 'event.*'];
    expect(marks.filter((mark) => standsFor(mark, named('events.polling.since')))).toEqual(['events.polling.since', 'events.*']);
  });
});

describe('every statement', () => {
  it('has a proof, or waits for what is still to be built', () => {
    expect(statements.filter((one) => isNormative(one) && !isProven(one)).map(({ name, text }) => `${name}: ${text}`)).toEqual([]);
  });

  it('that waits has no proof yet', () => {
    expect(statements.filter((one) => isOpen(one) && isProven(one)).map(({ name }) => name)).toEqual([]);
  });
});

it('docs/contract/tried.md names statements of the list', () => {
  const named = [...readDocument('docs/contract/tried.md').matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !statements.some((statement) => standsFor(name, statement)))).toEqual([]);
});

describe('the page that `npm run contract` writes', () => {
  it('shows each statement with its tests, and what waits', () => {
    const list = ['students.fields.id\tstatement\tinternal id | string', 'students.badges\topen: badges\tbadges', 'document.scope\tintroduction\tThe scope'].map(parseRow);
    const proven = [{ mark: 'students.*', test: 'second', file: 'test/b.test.ts' }, { mark: 'students.fields.id', test: 'first', file: 'test/a.test.ts' }];
    const rows = contractTable(list, proven).split('\n').filter((line) => /^\| (?!Statement)/.test(line));
    expect(rows).toEqual([
      '| `students.fields.id` | internal id \\| string | first | [a.test.ts](../test/a.test.ts) |',
      '| `students.fields.id` |  | second | [b.test.ts](../test/b.test.ts) |',
      '| `students.badges` | badges | badges |',
    ]);
  });

  it('links to files that exist, from every statement that is held', () => {
    const page = contractTable(statements, proofs);
    for (const [, file = ''] of page.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g)) expect([file, existsSync(join(root, file))]).toEqual([file, true]);
    expect(statements.filter((one) => isNormative(one) && !page.includes(`\n| \`${one.name}\` | `))).toEqual([]);
  });
});
