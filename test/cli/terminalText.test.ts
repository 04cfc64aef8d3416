import { progressBar } from '../../cli/progressBar';
import { formatJson, escapeControlCharacters, displayWidth } from '../../cli/terminalText';
import { createOutput } from '../../cli/context';
import { formatRecord, formatTable, formatTableFor } from '../../cli/tables';

describe('a table', () => {
  it('aligns texts to the left and numbers to the right, in columns of a terminal', () => {
    const rows = [
      { id: 'a', name: '学校', count: 7, tags: ['x', 'y'], on: true },
      { id: 'bcd', name: 'é', count: 1_200, tags: [], on: null },
    ];
    expect(formatTable(['id', 'name', 'count', 'tags', 'on'], rows)).toBe('id   name  count  tags  on\na    学校      7  x, y  yes\nbcd  é      1200  -     -\n');
  });

  it('that is wider than the terminal has its sentences below its rows', () => {
    const rows = [{ id: 'a', reason: 'It was held.', on: true }, { id: 'b', reason: 'It was cancelled.', on: false }];
    const table = (width: number | undefined): string => formatTableFor(width, ['id', 'reason', 'on'], rows, ['reason']);
    const wide = 'id  reason             on\na   It was held.       yes\nb   It was cancelled.  no\n';
    expect([table(undefined), table(26), table(25)]).toEqual([wide, wide, 'id  on\na   yes\n  reason  It was held.\nb   no\n  reason  It was cancelled.\n']);
  });

  it('moves as many columns below its rows as necessary, and shortens a list there to the terminal', () => {
    const rows = [{ id: 'a', scopes: ['students:read', 'faculty:write', 'groups:read'], used: '2026-11-28' }];
    const table = (width: number): string => formatTableFor(width, ['id', 'scopes', 'used'], rows, ['scopes', 'used']);
    expect(table(57)).toBe('id  scopes                                     used\na   students:read, faculty:write, groups:read  2026-11-28\n');
    expect(table(56)).toBe('id  used\na   2026-11-28\n  scopes  students:read, faculty:write, groups:read\n');
    expect(table(50)).toBe('id  used\na   2026-11-28\n  scopes  students:read, faculty:write, +1 more\n');
    expect(table(13)).toBe('id\na\n  scopes  3 of them\n  used    2026-11-28\n');
  });

  it('knows the width of a terminal, and of no file', () => {
    const widthOf = (out: { isTTY?: boolean; columns?: number }): number | undefined => createOutput({ out: { ...out, write: () => true }, err: { write: () => true } }, 'words').width;
    expect([widthOf({ isTTY: true, columns: 100 }), widthOf({ columns: 100 })]).toEqual([100, undefined]);
  });

  it('joins words with commas, and sentences with blanks', () => {
    expect(formatTable(['list'], [{ list: ['one', 'two'] }, { list: ['One is set.', 'Two is not.'] }, { list: ['One.', 'two'] }])).toBe('list\none, two\nOne is set. Two is not.\nOne. two\n');
    expect(formatTable(['list'], [{ list: [{ id: 1 }, { id: 2 }] }])).toBe('list\n2 of them\n');
  });

  it('of nothing is the names of its columns', () => {
    expect(formatTable(['id', 'name'], [])).toBe('id  name\n');
  });

  it('of very many rows is drawn all the same', () => {
    const rows = Array.from({ length: 130_000 }, (_row, index) => ({ id: `whd_${index}` }));
    expect(formatTable(['id'], rows).split('\n')).toHaveLength(rows.length + 2);
  });

  it('is one line per row, also with hostile text', () => {
    expect(formatTable(['text'], [{ text: 'one\ntwo\r\u001b[31m\u009b\u202e' }])).toBe('text\none\\u000atwo\\u000d\\u001b[31m\\u009b\\u202e\n');
  });
});

it('a card names the fields of parts, and leaves lists of things to tables', () => {
  expect(formatRecord({ id: 'a', admin: { id: 'b' }, codes: [{ code: 'c' }], payload: { x: 1 }, none: null }, ['payload'])).toBe('id        a\nadmin.id  b\nnone      -\n');
});

it('a card leads no terminal by the names of its fields either, and is aligned as they are written', () => {
  expect(formatRecord({ 'a\u001b[2J\n': 'x', b: { '\u202e': 'y' } })).toBe('a\\u001b[2J\\u000a  x\nb.\\u202e          y\n');
});

it.each([
  ['a mark of Arabic', '\u061c', '\\u061c'],
  ['a blank without width', '\u200b', '\\u200b'],
  ['a mark of byte order', '\ufeff', '\\ufeff'],
  ['a tag that nobody sees', '\u{e0041}', '\\udb40\\udc41'],
  ['a turned line', '\u2066', '\\u2066'],
  ['a line end', '\u2029', '\\u2029'],
])('%s is written out, in words and in JSON', (_what, character, written) => {
  expect(escapeControlCharacters(`a${character}b`)).toBe(`a${written}b`);
  expect(formatJson({ [character]: character })).toBe(`{\n  "${written}": "${written}"\n}\n`);
  expect(JSON.parse(formatJson({ [character]: character }))).toEqual({ [character]: character });
});

it('what joins letters and emojis stays', () => {
  for (const text of ['👩\u200d🏫', 'می\u200cخواهم']) expect(escapeControlCharacters(text)).toBe(text);
});

it('JSON is the same document when it is parsed, and leads no terminal', () => {
  const value = { text: '\u0000\u001b\u007f\u009b\u2028\u202e"\\é学', list: [1, null] };
  const text = formatJson(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).toMatch(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]*$/);
});

it.each([['plain', 5], ['学校', 4], ['e\u0301', 1], ['👩‍🏫', 2], ['ｆ', 2], ['', 0]])('%j takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

it('a text is left as it is where nothing in it leads a terminal', () => {
  expect(escapeControlCharacters('Südschule 学校 “x”')).toBe('Südschule 学校 “x”');
});

describe('a progress bar', () => {
  const drawing = (screen: { isTTY?: boolean; columns?: number }): string[] => {
    const drawn: string[] = [];
    const bar = progressBar({ ...screen, write: (text) => drawn.push(text) }, 'read');
    bar.show(0, 4);
    bar.show(1, 4);
    bar.show(9, 4);
    bar.end();
    return drawn.map((text) => text.replace('\r\u001b[K', '<'));
  };

  it.each([80, 0, undefined])('is drawn over itself on a terminal of %s columns, and taken away', (columns) => {
    expect(drawing({ isTTY: true, ...(columns === undefined ? {} : { columns }) })).toEqual([`<[${'-'.repeat(30)}] 0 of 4 read`, `<[${'#'.repeat(8)}${'-'.repeat(22)}] 1 of 4 read`, `<[${'#'.repeat(30)}] 9 of 4 read`, '<']);
  });

  it('never wraps', () => {
    for (const line of drawing({ isTTY: true, columns: 20 })) expect(line.length).toBeLessThanOrEqual(20);
  });

  it('is nothing anywhere else', () => {
    expect(drawing({})).toEqual([]);
  });
});
