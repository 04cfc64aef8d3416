import { linesToAccountFor, matchLines } from './lines';
import { parseRow, specification, statements } from './statements';

const exact = matchLines(specification, statements);
const lines = linesToAccountFor(specification);
/** Where the rows of each line begin in the list. */
const firstRows = statements.flatMap(({ continues }, index) => (continues ? [] : [index]));

it('every line of the specification has its statements, in order, which quote it word by word', () => {
  expect(exact.unaccounted).toEqual([]);
  expect(exact.unmatched).toEqual([]);
  expect(firstRows).toHaveLength(lines.length);
});

it('blank lines, headings, and the heads and rulings of tables need no statement; every other line does', () => {
  const page = ['## Fields', '', '| Field | Type |', '|---|---|', '| id | string |', '| name | string |', '', 'A name is unique.', '- It is short.'];
  expect(linesToAccountFor(page)).toEqual(['| id | string |', '| name | string |', 'A name is unique.', '- It is short.']);
});

describe('a line more in the specification', () => {
  const added = '| locker | string | number of the locker |';
  const row = parseRow('students.fields.locker\tstatement\tnumber of the locker');
  // A place in each part of the specification.
  const places = lines.map((_line, place) => place).filter((place) => place % 30 === 0);

  it.each(places)('is the only one that is unaccounted for, and one row more accounts for it (before line %i)', (place) => {
    const copy = [...lines.slice(0, place), added, ...lines.slice(place)];
    expect(matchLines(copy, statements)).toEqual({ lineOf: exact.lineOf, unaccounted: [added], unmatched: [] });
    const before = firstRows[place] ?? 0;
    const longer = [...statements.slice(0, before), row, ...statements.slice(before)];
    expect(matchLines(copy, longer)).toEqual({ lineOf: new Map([...exact.lineOf, [row.name, added]]), unaccounted: [], unmatched: [] });
  });

  it('is found in the specification as it is written, in the middle of a table', () => {
    const after = specification.findIndex((line) => line.startsWith('| student_id |')) + 1;
    const { unaccounted, unmatched } = matchLines([...specification.slice(0, after), added, ...specification.slice(after)], statements);
    expect({ unaccounted, unmatched }).toEqual({ unaccounted: [added], unmatched: [] });
  });
});

it('a line that is taken away leaves its own statements without a line', () => {
  const gone = exact.lineOf.get('students.personal-email.write-only');
  const { unaccounted, unmatched } = matchLines(specification.filter((line) => line !== gone), statements);
  expect({ unaccounted, unmatched }).toEqual({
    unaccounted: [],
    unmatched: ['students.personal-email.write-only', 'students.personal-email.receives-sign-in-codes', 'students.personal-email.mapped-at-first-login'],
  });
});

it('a line that says something else is named, with its statements', () => {
  const changed = specification.map((line) => line.replace('is write-only and never returned', 'is returned'));
  const { unaccounted, unmatched } = matchLines(changed, statements);
  expect(unaccounted).toEqual([expect.stringMatching(/^- `personal_email` is returned/)]);
  expect(unmatched[0]).toBe('students.personal-email.write-only');
});

it('lines in another order, and quotes of a line in another order, do not match', () => {
  const rows = ['a.first\tstatement\tone', 'a.second\tstatement\t… two', 'b.third\tstatement\tthree'].map(parseRow);
  expect(matchLines(['one and two', 'three'], rows).unmatched).toEqual([]);
  expect(matchLines(['two and one', 'three'], rows).unmatched).toEqual(['a.first', 'a.second']);
  expect(matchLines(['three', 'one and two'], rows).unaccounted).toHaveLength(1);
});
