import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvRecord, escapeFormulas } from '../../../domain/exams/csv';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', "'", '=', '+', '-', '@', '\t', ' ', ';', 'é', '＝', '数', '\u{1F600}'), maxLength: 12 }),
);

/** What a spreadsheet may find at the beginning of a cell, if semicolons, tabs and line breaks part cells for it and quotes count for little. */
const parted = (written: string): string[] => written.split(/[;\t\r\n]/).map((part) => part.replace(/^[" ]+/, ''));

const read = (written: string): string[][] => parse(Buffer.from(written, 'utf8'), { record_delimiter: '\r\n', relax_column_count: true });

describe('a CSV parser reads back what was written', () => {
  it('texts of any characters, each in its cell', () => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 5 }), (records) => {
        const wellFormed = records.map((record) => record.map((cell) => cell.toWellFormed()));
        expect(read(wellFormed.map(csvRecord).join(''))).toEqual(wellFormed.map((record) => record.map(escapeFormulas)));
      }),
      { numRuns: 500 },
    );
  });

  it('numbers, truth values, times and nothing', () => {
    expect(csvRecord([80, 66.67, 0, true, false, new Date('2026-11-20T09:30:00.000Z'), null])).toBe('80,66.67,0,true,false,2026-11-20T09:30:00.000Z,\r\n');
  });
});

describe('what a spreadsheet would run', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '＋1', '－1', '＠x'])('%j gets an apostrophe in front', (cell) => {
    expect(read(csvRecord([cell, 'x']))).toEqual([[`'${cell}`, 'x']]);
  });

  it.each([
    ['S1;=1+1', "S1;'=1+1"],
    ['a;b;+1', "a;b;'+1"],
    ['a;=1;-2', "a;'=1;'-2"],
    ['a\t@x', "a\t'@x"],
    ['a\r\n＝1', "a\r\n'＝1"],
    ['a;;=1', "a;;'=1"],
    ['a; =1', "a;' =1"],
    ['a;"=1+1;', 'a;\'"=1+1;'],
  ])('%j gets an apostrophe behind the separator', (cell, shown) => {
    expect(read(csvRecord([cell, 'x']))).toEqual([[shown, 'x']]);
  });

  it('no cell begins with a formula, at any separator that a spreadsheet splits at', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
        expect(parted(csvRecord(cells)).filter((part) => /^[=+\-@＝＋－＠]/.test(part))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('nothing of a text is lost, and only apostrophes are added', () => {
    fc.assert(
      fc.property(text, (cell) => {
        expect(escapeFormulas(cell).replaceAll("'", '')).toBe(cell.replaceAll("'", ''));
      }),
    );
  });

  it('no other text is touched', () => {
    fc.assert(
      fc.property(text, (cell) => {
        fc.pre(!/^[\t\r\n]|(?:^|[;\t\r\n])[" ]*[=+\-@＝＋－＠]/.test(cell));
        expect(escapeFormulas(cell)).toBe(cell);
      }),
    );
  });

  it('a formula behind the first character stays', () => {
    expect(csvRecord(['1=2', 'a-b', 'x@y.example', 'a; b-c;1=2'])).toBe('1=2,a-b,x@y.example,a; b-c;1=2\r\n');
  });
});
